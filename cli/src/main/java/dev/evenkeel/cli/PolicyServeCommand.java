package dev.evenkeel.cli;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicySource;
import dev.evenkeel.policy.PolicySyncServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel policy serve}. */
@Command(
        name = "serve",
        description = {
            "Calculates the network policies of a cluster once for all nodes, and sends each node its updates, until SIGTERM",
            "or Ctrl-C. `evenkeel policy-agent --sync` receives them. The user system:node:NAME may read those of that node,",
            "and the group system:masters those of each.",
            ""
        })
final class PolicyServeCommand extends BaseCommand {
    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE}, this machine only)")
    private String bind = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "6445",
            description = "port to listen on; 0 selects a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            defaultValue = "evenkeel-policy",
            description =
                    "directory to write ca.pem and token to, for --sync-ca and --sync-token of agents: a new token of"
                            + " system:masters for each run (default: ${DEFAULT-VALUE})")
    private Path credentials = Path.of("");

    @Option(
            names = "--tls-cert-file",
            paramLabel = "FILE",
            description =
                    "certificate of this server, in PEM, followed by its issuers (default: a new one for each run,"
                            + " for the address of --bind)")
    private @Nullable Path certificate;

    @Option(names = "--tls-private-key-file", paramLabel = "FILE", description = "its key, in PEM")
    private @Nullable Path key;

    @Option(
            names = "--token-auth-file",
            paramLabel = "FILE",
            description = "accept the tokens of this file, too: lines of token,user,uid,\"group1,group2\"")
    private @Nullable Path tokenFile;

    @Option(
            names = "--client-ca-file",
            paramLabel = "FILE",
            description =
                    "accept client certificates of the authorities in this file, in PEM: the common name is the user,"
                            + " the organisations are the groups")
    private @Nullable Path clientCa;

    @Option(names = "--insecure", description = "disable TLS and authentication; only on loopback")
    private boolean insecure;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        require((certificate == null) == (key == null), "--tls-cert-file and --tls-private-key-file need each other");
        require(!(insecure && certificate != null), "--insecure and --tls-cert-file exclude each other");
        PrintWriter out = line().getOut();
        try (Lifetime lifetime = new Lifetime()) {
            Client client = cluster.client(lifetime, "evenkeel-policy");
            PolicyCalculation calculation = PolicyCalculation.forAllHosts();
            PolicySyncServer server = lifetime.keep(
                    configure(PolicySyncServer.builder(calculation)).start());
            SystemScheduler scheduler = lifetime.keep(new SystemScheduler());
            lifetime.keep(PolicySource.start(calculation, client, scheduler));
            lifetime.endBySignal();
            String options = insecure ? " --sync-plaintext" : write(server);
            out.println("serving, for agents with --sync " + server.target() + options);
            out.flush();
            lifetime.awaitSignal();
        }
        return 0;
    }

    private PolicySyncServer.Builder configure(PolicySyncServer.Builder settings) throws IOException {
        settings.host(bind).port(port).tls(!insecure).authentication(!insecure);
        if (certificate != null && key != null) {
            settings.certificate(ServerCertificate.of(Files.readString(certificate), Files.readString(key)));
        }
        if (tokenFile != null) {
            settings.tokenFile(tokenFile);
        }
        if (clientCa != null) {
            settings.clientCa(Files.readString(clientCa));
        }
        return settings;
    }

    /** Writes the credentials, and returns the options that read them. */
    private String write(PolicySyncServer server) throws IOException {
        Path directory = Files.createDirectories(credentials.toAbsolutePath().normalize());
        Path token = replace(directory.resolve("token"), server.token() + "\n");
        Path ca = replace(directory.resolve("ca.pem"), server.caCertificate());
        return " --sync-ca " + ca + " --sync-token " + token;
    }

    /** Writes a file that only its owner can read, and that is complete when it appears. */
    private static Path replace(Path file, String content) throws IOException {
        Path part = Files.createTempFile(file.getParent(), "." + file.getFileName(), "", OwnerOnly.attributes());
        Files.writeString(part, content);
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
