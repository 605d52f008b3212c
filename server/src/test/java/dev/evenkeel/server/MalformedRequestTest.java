package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client library sends: the server refuses each in time, and continues. */
@Timeout(300)
class MalformedRequestTest {
    private static final Fixture FIXTURE = Fixture.insecure(Server.Limits.DEFAULT
            .maxBodyBytes(100_000)
            .bodyTimeout(Duration.ofSeconds(3))
            .idleTimeout(Duration.ofSeconds(3))
            .writeTimeout(Duration.ofSeconds(3))
            .stopTimeout(Duration.ofSeconds(5)));

    @AfterAll
    static void stop() {
        FIXTURE.close();
    }

    /** Sends bytes and reads until the server closes. */
    private static String raw(String text) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", FIXTURE.server.url().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String request(String method, String path, String headers, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n" + body;
    }

    private static void assertAlive() {
        assertThat(FIXTURE.get("/healthz").body()).isEqualTo("ok");
    }

    @Test
    void deepNestingIsRefused() {
        for (String open : new String[] {"[", "{\"a\":"}) {
            var answer = FIXTURE.post(MAPS, open.repeat(15_000));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("BadRequest");
        }
        var answer = FIXTURE.post(
                MAPS,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"x\":" + "[".repeat(20_000) + "]".repeat(20_000) + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertAlive();
    }

    @Test
    void bigBodiesAreRefusedWithAndWithoutALength() throws IOException {
        var answer = FIXTURE.post(MAPS, " ".repeat(100_001));
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("Request entity too large: limit is 100000");
        String chunk = "2000\r\n" + " ".repeat(0x2000) + "\r\n";
        String chunked = raw(request("POST", MAPS, "Transfer-Encoding: chunked\r\n", chunk.repeat(20) + "0\r\n\r\n"));
        assertThat(chunked).startsWith("HTTP/1.1 413");
        assertAlive();
    }

    @Test
    void hugeHeadersAndUrlsAreRefused() throws IOException {
        assertThat(raw(request("GET", MAPS, "X: " + "x".repeat(40_000) + "\r\n", "")))
                .startsWith("HTTP/1.1 431");
        assertThat(raw(request("GET", MAPS + "?x=" + "x".repeat(9_000), "", "")))
                .startsWith("HTTP/1.1 414");
        assertAlive();
    }

    @Test
    void aBodyThatDoesNotArriveTimesOut() throws IOException {
        assertThat(raw(request("POST", MAPS, "Content-Length: 1000\r\n", "{"))).startsWith("HTTP/1.1 408");
        assertAlive();
    }

    @Test
    void invalidHttpClosesTheConnection() throws IOException {
        assertThat(raw("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n")).doesNotContain("HTTP/1.1 200");
        assertThat(raw("GET / HTTP/9.9\r\n\r\n")).doesNotContain("HTTP/1.1 200");
        assertThat(raw("GET " + MAPS + " HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertAlive();
    }

    @Test
    void foreignHostsAreRefused() throws IOException {
        String answer = raw("GET " + MAPS + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403").contains("evil.example");
    }

    @Test
    void strangePathsLeadNowhere() throws IOException {
        for (String path : new String[] {
            "/api/v1/../../etc/passwd",
            "/api/v1/namespaces/..%2f..%2f/configmaps",
            "/api/v1/namespaces/default/configmaps/%00",
            "/api/v1/namespaces/default/configmaps/%zz",
            "/api/v1/namespaces/default/configmaps/a%2Fb",
            "/api/v1/namespaces/default/configmaps/a/b/c/d/e/f",
            "/apis//v1/x",
            "//api"
        }) {
            String answer = raw(request("GET", path, "", ""));
            assertThat(answer)
                    .as(path)
                    .matches("(?s)HTTP/1\\.1 (200|400|404) .*")
                    .doesNotContain("root:");
        }
        assertAlive();
    }

    @Test
    void aliasBombsInYamlAreRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ",").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        var answer = FIXTURE.send("POST", MAPS, "application/yaml", bomb.toString());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertAlive();
    }

    @Test
    void numbersWithManyDigitsAreRefused() {
        var answer = FIXTURE.post(
                MAPS,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\",\"generation\":"
                        + "9".repeat(50_000) + "}}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertAlive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n{}\r\n0\r\n\r\n",
                "-1\r\n{}\r\n0\r\n\r\n",
                "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                "2\r\n{}XX0\r\n\r\n",
                "2\n{}\n0\n\n",
                "2;a\n{}\r\n0\r\n\r\n"
            })
    void malformedChunksAreRefused(String body) throws IOException {
        assertRefused(400, request("POST", MAPS, "Transfer-Encoding: chunked\r\n", body));
    }

    @Test
    void linesEndWithBothCharacters() throws IOException {
        assertRefused(400, "GET /version HTTP/1.1\nHost: localhost\n\n");
        assertRefused(400, "GET /version HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n");
        assertRefused(400, "GET /version HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\n");
        assertRefused(400, "GET /version HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "TRACE", "PROPFIND", "FOO"})
    void methodsOfOtherProtocolsAreNotAllowed(String method) throws IOException {
        if (method.equals("CONNECT")) {
            assertRefused(405, "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n");
            return;
        }
        assertRefused(405, request(method, "/api", "", ""));
        assertRefused(405, request(method, MAPS, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%c0%ae", "%c1%81", "%e0%80%af", "%f0%80%80%af", "%ff", "%80"})
    void charactersInPathsHaveTheirShortestEncoding(String name) throws IOException {
        assertRefused(400, request("GET", MAPS + "/" + name, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00c0\u00ae", "\u00c1\u0081", "\u00e0\u0080\u00af", "\u00f0\u0080\u0080\u00af", "\u00ff"})
    void charactersInBodiesHaveTheirShortestEncoding(String text) throws IOException {
        for (String type : new String[] {"json", "yaml"}) {
            String body = "{\"metadata\":{\"name\":\"o\"},\"data\":{\"a\":\"" + text + "\"}}";
            String headers = "Content-Type: application/" + type + "\r\nContent-Length: " + body.length() + "\r\n";
            assertRefused(400, request("POST", MAPS, headers, body));
        }
    }

    @Test
    void aBodyThatEndsEarlyIsRefused() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", FIXTURE.server.url().getPort())) {
            socket.setSoTimeout(20_000);
            String request = request("POST", MAPS, "Content-Length: 100\r\n", "{");
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400").contains("ended early");
        }
    }

    private static void assertRefused(int code, String request) throws IOException {
        assertThat(raw(request))
                .startsWith("HTTP/1.1 " + code)
                .contains("\"kind\":\"Status\"")
                .doesNotContain("jetty")
                .doesNotContain("Exception");
        assertAlive();
    }
}
