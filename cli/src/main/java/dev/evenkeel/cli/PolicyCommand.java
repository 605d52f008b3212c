package dev.evenkeel.cli;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.Explanation;
import dev.evenkeel.policy.PolicyExplainer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code evenkeel policy}. */
@Command(
        name = "policy",
        description = "Reads network policies.",
        subcommands = {PolicyCommand.Explain.class, PolicyServeCommand.class})
final class PolicyCommand extends BaseCommand {
    @Override
    public Integer call() {
        throw new ParameterException(line(), "a command is missing: explain or serve");
    }

    /** {@code evenkeel policy explain}. */
    @Command(
            name = "explain",
            description = {
                "Prints whether a connection is allowed, and the rules and defaults that decide, in their order.",
                "It is calculated from the objects of a cluster, or of files, alone: no packet is sent.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:allowed", "1:denied", "2:no answer, with the reason on stderr"})
    static final class Explain extends BaseCommand {
        private static final int DENIED = 1;
        private static final int NO_ANSWER = 2;

        @Option(
                names = "--from",
                paramLabel = "END",
                required = true,
                description = "the source: a pod as NAMESPACE/NAME, the name of a host endpoint, or an address")
        private String from = "";

        @Option(names = "--to", paramLabel = "END", required = true, description = "the destination, likewise")
        private String to = "";

        @Option(
                names = "--port",
                paramLabel = "N",
                defaultValue = "0",
                description = "port at the destination; none for protocols without ports")
        private int port;

        @Option(
                names = "--protocol",
                paramLabel = "NAME",
                defaultValue = "TCP",
                description = "TCP, UDP, SCTP, ICMP, ICMPv6 or a number (default: ${DEFAULT-VALUE})")
        private String protocol = "";

        @Option(
                names = {"-f", "--filename"},
                paramLabel = "FILE",
                description = "read the objects of this YAML file, or of the YAML files of this directory, instead of"
                        + " those of a cluster; may be repeated")
        private List<Path> files = List.of();

        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Override
        public Integer call() {
            try (Lifetime lifetime = new Lifetime()) {
                List<HasMetadata> objects = files.isEmpty()
                        ? ClusterOptions.policyObjects(cluster.client(lifetime, "evenkeel-policy"))
                        : read(files);
                PolicyExplainer explainer = PolicyExplainer.of(objects);
                Explanation explanation = explainer.explain(from, to, protocol, port);
                explainer.problems().forEach(problem -> line().getErr().println("warning: " + problem));
                line().getOut().println(explanation);
                line().getOut().flush();
                return explanation.allowed() ? 0 : DENIED;
            } catch (IOException | RuntimeException e) {
                // not 1, which is an answer
                line().getErr().println("evenkeel: " + Failure.reason(e));
                return NO_ANSWER;
            }
        }

        private static List<HasMetadata> read(List<Path> paths) throws IOException {
            List<HasMetadata> objects = new ArrayList<>();
            for (Path path : paths) {
                if (Files.isDirectory(path)) {
                    try (Stream<Path> entries = Files.list(path)) {
                        for (Path file :
                                entries.filter(Explain::isYaml).sorted().toList()) {
                            objects.addAll(parse(file));
                        }
                    }
                } else {
                    objects.addAll(parse(path));
                }
            }
            return objects;
        }

        private static boolean isYaml(Path file) {
            String name = file.getFileName().toString();
            return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
        }

        private static List<? extends HasMetadata> parse(Path file) throws IOException {
            try {
                return Manifests.parse(Files.readString(file));
            } catch (IllegalArgumentException e) {
                throw new Failure(file + ": " + Failure.reason(e));
            }
        }
    }
}
