package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.server.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Searches all log lines of a server, at the finest level, for the tokens that it received and issued. */
@Isolated
class TokensInLogsTest {
    private static final String ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default/token";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static String send(HttpClient http, Server server, String method, String path, String token, String body)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + token)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void noTokenIsLogged() throws Exception {
        try (LogLines log = new LogLines();
                Engine engine =
                        Engine.builder().authorization(Authorization.RBAC).build();
                HttpClient http = HttpClient.newHttpClient();
                Server server = Server.builder(engine)
                        .tls(false)
                        .token("root-token", User.ADMIN)
                        .start()) {
            String answer = send(http, server, "POST", ACCOUNT, "root-token", "{}");
            Matcher issued = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(answer);
            assertThat(issued.find()).as(answer).isTrue();
            String account = issued.group(1);
            List<String> tokens = List.of(
                    "root-token", account, account.substring(0, account.length() - 6) + "AAAAAA", "nonsense-token");
            for (String token : tokens) {
                send(http, server, "GET", MAPS, token, "");
                send(http, server, "POST", MAPS, token, "no object");
                String review = "{\"spec\":{\"token\":\"" + token + "\"}}";
                send(http, server, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", "root-token", review);
            }
            String metrics = send(http, server, "GET", "/metrics", "root-token", "");
            for (String token : tokens) {
                assertThat(metrics).doesNotContain(token);
                assertThat(log.texts()).noneMatch(line -> line.contains(token));
            }
        }
    }
}
