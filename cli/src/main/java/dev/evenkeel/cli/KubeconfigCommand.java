package dev.evenkeel.cli;

import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel kubeconfig}. */
@Command(
        name = "kubeconfig",
        description = {
            "Prints a kubeconfig with a token for a user of a running server, who need not exist anywhere else.",
            "The permissions of the user are those of bindings of its name and groups. The caller must be permitted to impersonate"
                    + " the user and the groups. A token cannot be withdrawn before it expires.",
            ""
        })
final class KubeconfigCommand extends BaseCommand {
    private static final String PATH = "/evenkeel/tokens";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "evenkeel.kubeconfig",
            description = "kubeconfig of the caller, such as the one that the server wrote (default: ${DEFAULT-VALUE})")
    private Path kubeconfig = Path.of("");

    @Option(names = "--user", paramLabel = "NAME", required = true, description = "name of the user")
    private String user = "";

    @Option(names = "--group", paramLabel = "GROUP", description = "a group of the user; may be repeated")
    private List<String> groups = List.of();

    @Option(
            names = "--duration",
            paramLabel = "D",
            defaultValue = "8h",
            converter = Durations.class,
            description = "how long the token is valid, such as 30m; at most a year (default: ${DEFAULT-VALUE})")
    private Duration duration = Duration.ofHours(8);

    @Override
    public Integer call() {
        Config config = read();
        String token = token(Serialization.asYaml(config));
        NamedAuthInfo own = authentication(config);
        own.getUser().setToken(token);
        own.getUser().setClientCertificateData(null);
        own.getUser().setClientKeyData(null);
        line().getOut().print(Serialization.asYaml(config));
        line().getOut().flush();
        return 0;
    }

    private Config read() {
        try {
            return Serialization.unmarshal(Files.readString(kubeconfig), Config.class);
        } catch (IOException e) {
            throw new Failure("cannot read the kubeconfig " + kubeconfig + ": " + Failure.reason(e)
                    + "; name that of a running server with --kubeconfig");
        }
    }

    /** Returns the only user of the current context. */
    private NamedAuthInfo authentication(Config config) {
        String name = config.getContexts().stream()
                .filter(context -> context.getName().equals(config.getCurrentContext()))
                .map(context -> context.getContext().getUser())
                .findFirst()
                .orElse("");
        return config.getUsers().stream()
                .filter(info -> info.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new Failure(kubeconfig + " has no current context with a user"));
    }

    private String token(String text) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("user", user);
        request.put("groups", groups);
        request.put("expirationSeconds", duration.toSeconds());
        var settings = new ConfigBuilder(io.fabric8.kubernetes.client.Config.fromKubeconfig(text)).build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(settings).build()) {
            String answer = client.raw(PATH, "POST", request);
            return Serialization.unmarshal(answer, Answer.class).token();
        } catch (KubernetesClientException e) {
            throw new Failure("the server issued no token for " + shown() + ": " + e.getMessage()
                    + (e.getCause() == null ? "" : " (" + e.getCause().getMessage() + ")"));
        }
    }

    private String shown() {
        return user + groups.stream().map(group -> " in " + group).collect(Collectors.joining());
    }

    /** The answer of the server. */
    record Answer(String token, String expirationTimestamp) {}
}
