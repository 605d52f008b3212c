package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are answered although their body was not read: no answer is lost, and connections stay usable. */
class RefusedBodyTest {
    private static final int REQUESTS = 50;
    private static final int LIMIT = 30_000;
    private static final byte[] BODY = new byte[40_000];

    /** A request whose answer does not depend on its body. */
    private record Refused(int status, String method, String path, Map<String, String> headers) {}

    private static final List<Refused> REFUSED = List.of(
            new Refused(200, "GET", "/version", Map.of()),
            new Refused(401, "POST", MAPS, Map.of("Authorization", "Bearer wrong")),
            new Refused(403, "POST", MAPS, Map.of("Origin", "https://evil.example")),
            new Refused(404, "POST", "/nope", Map.of()),
            new Refused(404, "POST", "/api/v1/namespaces/default/nopes", Map.of()),
            new Refused(405, "POST", "/api/v1/configmaps", Map.of()),
            new Refused(406, "POST", MAPS, Map.of("Accept", "image/png")),
            new Refused(413, "POST", MAPS, Map.of()),
            new Refused(415, "POST", MAPS, Map.of("Content-Type", "text/plain")),
            new Refused(415, "PATCH", MAPS + "/a", Map.of("Content-Type", "text/plain")),
            new Refused(413, "PUT", MAPS + "/a?dryRun=foo", Map.of()));

    @ParameterizedTest
    @EnumSource
    void answersToUnreadBodiesAreNotLost(Version version) throws Exception {
        try (Fixture fixture = fixture();
                HttpClient http = client(fixture, version)) {
            List<String> lost = new ArrayList<>();
            for (Refused refused : REFUSED) {
                for (int i = 0; i < REQUESTS; i++) {
                    answer(fixture, http, refused, BodyPublishers.ofByteArray(BODY), lost);
                }
            }
            assertThat(lost).isEmpty();
        }
    }

    /** Streams of HTTP/2 are independent of each other, so a client sees the answer whatever the rest of its body. */
    @Test
    void overHttp2TheAnswerToABodyTooLongToDiscardIsSeen() throws Exception {
        try (Fixture fixture = fixture();
                HttpClient http = client(fixture, Version.HTTP_2)) {
            List<String> lost = new ArrayList<>();
            for (Refused refused : REFUSED) {
                for (int i = 0; i < 20; i++) {
                    answer(fixture, http, refused, BodyPublishers.ofByteArray(new byte[100 * LIMIT]), lost);
                }
            }
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void overHttp1AnAnswerAnnouncesWhetherTheConnectionStaysOpen() throws IOException {
        String post = "POST /nope HTTP/1.1\r\nHost: localhost\r\n";
        try (Fixture fixture = Fixture.insecure(Server.Limits.DEFAULT.maxBodyBytes(LIMIT))) {
            assertThat(head(fixture, post + "Content-Length: 0\r\n\r\n")).doesNotContain("Connection: close");
            assertThat(head(fixture, post + "Content-Length: " + 2 * LIMIT + "\r\n\r\n{"))
                    .doesNotContain("Connection: close");
            assertThat(head(fixture, post + "Content-Length: " + (2 * LIMIT + 1) + "\r\n\r\n{"))
                    .contains("Connection: close");
            assertThat(head(fixture, post + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n"))
                    .doesNotContain("Connection: close");
            assertThat(head(fixture, post + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"))
                    .contains("Connection: close");
            assertThat(head(fixture, post + "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"))
                    .contains("Connection: close");
        }
    }

    /** Sends the beginning of a request, and returns the head of its answer. */
    private static String head(Fixture fixture, String text) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", fixture.server.url().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) socket.getInputStream().read());
            }
            assertThat(head.toString()).startsWith("HTTP/1.1 404");
            return head.toString();
        }
    }

    private static Fixture fixture() {
        return new Fixture(
                builder -> builder.limits(Server.Limits.DEFAULT.maxBodyBytes(LIMIT)), HttpClient.newHttpClient());
    }

    private static HttpClient client(Fixture fixture, Version version) throws Exception {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(TlsTest.trust(fixture.server))
                .build();
    }

    private static void answer(Fixture fixture, HttpClient http, Refused refused, BodyPublisher body, List<String> lost)
            throws InterruptedException {
        HttpRequest.Builder request = fixture.request(refused.path)
                .timeout(Duration.ofSeconds(20))
                .setHeader("Authorization", "Bearer " + fixture.server.token())
                .method(refused.method, body);
        refused.headers.forEach(request::setHeader);
        try {
            HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() != refused.status || answer.body().isEmpty()) {
                lost.add(refused + ": " + answer.statusCode() + " " + answer.body());
            }
        } catch (IOException e) {
            lost.add(refused + ": " + e);
        }
    }
}
