package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a server while it has work to do, and its survival without file descriptors. */
@Timeout(300)
class ServerShutdownTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    private Path directory;

    /** A connection over which requests are sent by hand. */
    private record Connection(Socket socket, BufferedReader in) implements AutoCloseable {
        static Connection open(ServerProcess server) throws IOException {
            Socket socket = new Socket("127.0.0.1", server.connection().server().getPort());
            socket.setSoTimeout(60_000);
            return new Connection(socket, new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)));
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(US_ASCII));
        }

        /** Returns the next status line, behind the headers of the one before. */
        String status() throws IOException {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("HTTP/1.1 ")) {
                    return line;
                }
            }
            return "";
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String head(ServerProcess server, String request) throws IOException {
        return request + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + server.token() + "\r\n";
    }

    @Test
    void requestsInProgressAreAnsweredAndWatchesEnd() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory);
                Connection watch = Connection.open(server)) {
            watch.send(head(server, "GET " + MAPS + "?watch=1") + "\r\n");
            assertThat(watch.status()).startsWith("HTTP/1.1 200");
            List<Connection> open = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Connection connection = Connection.open(server);
                open.add(connection);
                connection.send(head(server, "POST " + MAPS)
                        + "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
                assertThat(connection.status()).startsWith("HTTP/1.1 100"); // the server waits for the body
            }

            CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> terminate(server));
            assertThat(watch.status()).as("the end of the watch").isEmpty();
            for (int i = 0; i < open.size(); i++) {
                String body = "{\"metadata\":{\"name\":\"late-" + i + "\"}}";
                open.get(i).send(body + " ".repeat(100 - body.length()));
            }
            for (Connection connection : open) {
                assertThat(connection.status()).startsWith("HTTP/1.1 201");
                connection.close();
            }
            assertThat(exit.get(120, TimeUnit.SECONDS)).isZero();
        }
    }

    /** A client that never sends the rest does not hold up the end for longer than the server waits. */
    @Test
    void requestsThatNeverEndDoNotKeepTheServer() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory);
                Connection connection = Connection.open(server)) {
            connection.send(head(server, "POST " + MAPS)
                    + "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
            assertThat(connection.status()).startsWith("HTTP/1.1 100");
            assertThat(terminate(server)).isZero();
        }
    }

    private static int terminate(ServerProcess server) {
        try {
            return server.terminate();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aServerWithoutFileDescriptorsServesAgainWhenThereAreSome() throws Exception {
        try (ServerProcess server = ServerProcess.startWithFiles(400, directory)) {
            assertThat(server.get("/version")).isEqualTo(200);
            List<Connection> open = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                open.add(Connection.open(server));
            }
            for (Connection connection : open) {
                connection.close(); // whether it was accepted, waits, or was closed by the server
            }
            // the connection waits until the server has descriptors again
            assertThat(server.get("/readyz")).isEqualTo(200);
            assertThat(server.lines()).noneMatch(line -> line.contains("OutOfMemory"));
            assertThat(server.get("/version")).isEqualTo(200);
            assertThat(server.terminate()).isZero();
        }
    }
}
