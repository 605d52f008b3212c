package dev.evenkeel.server.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The file by which kubectl and client libraries find a server. */
public final class Kubeconfig {
    private Kubeconfig() {}

    public static String text(String server, String caPem, String token) {
        String ca = caPem.isEmpty()
                ? ""
                : "    certificate-authority-data: "
                        + Base64.getEncoder().encodeToString(caPem.getBytes(StandardCharsets.UTF_8)) + "\n";
        String user = token.isEmpty() ? "  user: {}\n" : "  user:\n    token: \"" + token + "\"\n";
        return """
                apiVersion: v1
                kind: Config
                current-context: evenkeel
                clusters:
                - name: evenkeel
                  cluster:
                    server: "%s"
                %scontexts:
                - name: evenkeel
                  context:
                    cluster: evenkeel
                    user: evenkeel
                    namespace: default
                users:
                - name: evenkeel
                %s""".formatted(server, ca, user);
    }
}
