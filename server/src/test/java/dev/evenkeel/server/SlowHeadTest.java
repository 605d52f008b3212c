package dev.evenkeel.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send a byte now and then, and so never are idle. */
@Timeout(300)
class SlowHeadTest {
    /** The preface of HTTP/2, and empty SETTINGS. */
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

    private static final Server.Limits LIMITS = Server.Limits.DEFAULT.bodyTimeout(Duration.ofMillis(400));

    @Test
    void aHeadThatDripsEndsItsConnection() throws IOException {
        try (Fixture fixture = Fixture.insecure(LIMITS)) {
            assertClosed(fixture, "", "GET /version HTTP/1.1\r\nHost: " + "x".repeat(10_000));
        }
    }

    @Test
    void theHeadOfALaterRequestDoes() throws IOException {
        try (Fixture fixture = Fixture.insecure(LIMITS)) {
            String first = "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n";
            assertClosed(fixture, first, "GET /version HTTP/1.1\r\nHost: " + "x".repeat(10_000));
        }
    }

    @Test
    void emptyLinesDo() throws IOException {
        try (Fixture fixture = Fixture.insecure(LIMITS)) {
            assertClosed(fixture, "", "\r\n".repeat(10_000));
        }
    }

    @Test
    void aHandshakeDoes() throws IOException {
        try (Fixture fixture =
                new Fixture(builder -> builder.limits(LIMITS), java.net.http.HttpClient.newHttpClient())) {
            // a record of 16 KB that begins a handshake
            assertClosed(fixture, "", "\26\3\1\77\0\1\0\76\0\3\3" + "x".repeat(10_000));
        }
    }

    /** HEADERS without END_HEADERS, and CONTINUATION, again and again. */
    @Test
    void aHeaderBlockOfHttp2ThatNeverEndsDoes() throws Exception {
        try (Fixture fixture = http2()) {
            assertHttp2Closed(fixture, PREFACE + "\0\0\1\1\0\0\0\0\1\202", "\0\0\0\11\0\0\0\0\1".repeat(1_000));
        }
    }

    @Test
    void aFrameOfHttp2ThatDripsDoes() throws Exception {
        try (Fixture fixture = http2()) {
            assertHttp2Closed(fixture, PREFACE, "\0\77\377\1\4\0\0\0\1" + "x".repeat(10_000));
        }
    }

    @Test
    void aPrefaceOfHttp2ThatDripsDoes() throws Exception {
        try (Fixture fixture = http2()) {
            assertHttp2Closed(fixture, "", PREFACE.substring(0, 20) + PREFACE.repeat(1_000));
        }
    }

    /** A client that sends complete frames, however few, stays: here a ping at a time. */
    @Test
    void aConnectionOfHttp2WithCompleteFramesStays() throws Exception {
        try (Fixture fixture = http2();
                SSLSocket socket = connect(fixture)) {
            // a client that sends more than some tens of pings in a second is refused
            socket.setSoTimeout(100);
            socket.getOutputStream().write(PREFACE.getBytes(ISO_8859_1));
            long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
            while (System.nanoTime() < end) {
                socket.getOutputStream().write("\0\0\10\6\0\0\0\0\0ping-001".getBytes(ISO_8859_1));
                try {
                    while (true) {
                        assertThat(socket.getInputStream().read()).isNotNegative();
                    }
                } catch (java.net.SocketTimeoutException e) {
                    // nothing more to read
                }
            }
        }
    }

    /** A client that has sent complete frames, and then waits, stays: a watch does so. */
    @Test
    void aConnectionOfHttp2ThatIsQuietStays() throws Exception {
        try (Fixture fixture = http2();
                SSLSocket socket = connect(fixture)) {
            socket.setSoTimeout(100);
            socket.getOutputStream().write(PREFACE.getBytes(ISO_8859_1));
            long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
            while (System.nanoTime() < end) {
                try {
                    assertThat(socket.getInputStream().read()).isNotNegative();
                } catch (java.net.SocketTimeoutException e) {
                    // nothing more to read
                }
            }
        }
    }

    private static Fixture http2() {
        return new Fixture(builder -> builder.limits(LIMITS), java.net.http.HttpClient.newHttpClient());
    }

    /** A busy machine may take longer for a handshake than the server waits. */
    private static SSLSocket connect(Fixture fixture) throws Exception {
        IOException failure = new IOException("no handshake");
        for (int i = 0; i < 20; i++) {
            SSLSocket socket = (SSLSocket) TlsTest.trust(fixture.server)
                    .getSocketFactory()
                    .createSocket("127.0.0.1", fixture.server.url().getPort());
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            try {
                socket.startHandshake();
                return socket;
            } catch (IOException e) {
                failure = e;
                socket.close();
            }
        }
        throw failure;
    }

    /** Sends a text at once, then another byte by byte until the server closes the connection of HTTP/2. */
    private static void assertHttp2Closed(Fixture fixture, String first, String drops) throws Exception {
        try (SSLSocket socket = connect(fixture)) {
            socket.setSoTimeout(20);
            socket.getOutputStream().write(first.getBytes(ISO_8859_1));
            for (byte drop : drops.getBytes(ISO_8859_1)) {
                try {
                    socket.getOutputStream().write(drop);
                    for (int b = 0; b >= 0; ) {
                        b = socket.getInputStream().read();
                    }
                    return;
                } catch (java.net.SocketTimeoutException e) {
                    // not closed yet
                } catch (IOException e) {
                    return;
                }
            }
            throw new AssertionError("the connection was not closed");
        }
    }

    @Test
    void aBodyThatDripsIsAnsweredWith408() throws IOException {
        try (Fixture fixture = Fixture.insecure(LIMITS)) {
            String head = "POST " + Fixture.MAPS + " HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
            assertThat(dripped(fixture, head, " ".repeat(10_000))).startsWith("HTTP/1.1 408");
        }
    }

    @Test
    void aBodyThatNeverArrivesIsToo() throws IOException {
        try (Fixture fixture = Fixture.insecure(LIMITS)) {
            String head = "POST " + Fixture.MAPS + " HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
            assertThat(dripped(fixture, head, "")).startsWith("HTTP/1.1 408");
        }
    }

    @Test
    void connectionsThatWaitForTheirNextRequestStay() throws Exception {
        try (Fixture fixture = Fixture.insecure(LIMITS);
                Socket socket = new Socket("127.0.0.1", fixture.server.url().getPort())) {
            socket.setSoTimeout(1_200);
            byte[] request = "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            try {
                for (int b; (b = in.read()) >= 0; ) {
                    answer.append((char) b);
                }
                throw new AssertionError("the connection was closed");
            } catch (java.net.SocketTimeoutException e) {
                assertThat(answer).startsWith("HTTP/1.1 200");
            }
        }
    }

    private static void assertClosed(Fixture fixture, String first, String dripped) throws IOException {
        String answer = dripped(fixture, first, dripped);
        assertThat(answer.startsWith("HTTP/1.1 200")).isEqualTo(!first.isEmpty());
    }

    /** Sends a text at once, then another byte by byte until the server closes; returns the answer. */
    private static String dripped(Fixture fixture, String first, String drops) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", fixture.server.url().getPort())) {
            socket.setSoTimeout(drops.isEmpty() ? 10_000 : 20);
            socket.getOutputStream().write(first.getBytes(US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            for (int i = 0; i < Math.max(1, drops.length()); i++) {
                try {
                    if (!drops.isEmpty()) {
                        socket.getOutputStream().write(drops.charAt(i));
                    }
                    for (int b; (b = in.read()) >= 0; ) {
                        answer.append((char) b);
                    }
                    return answer.toString();
                } catch (java.net.SocketTimeoutException e) {
                    // not closed yet
                } catch (IOException e) {
                    return answer.toString();
                }
            }
            throw new AssertionError("the connection was not closed");
        }
    }
}
