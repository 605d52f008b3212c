package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.kubernetes.Connection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Many watches over HTTP/2, which count received events. One connection carries hundreds, as a process may have fewer
 * descriptors than there are watches.
 */
final class Http2Watches implements AutoCloseable {
    /** Of a connection; Evenkeel allows 1,000. */
    private static final int STREAMS = 900;

    /** Requests that are sent before the first of them is answered. */
    private static final int AT_ONCE = 100;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final List<HttpClient> connections = new ArrayList<>();
    private final Semaphore free = new Semaphore(AT_ONCE);
    private long events;
    /** The status of a watch that was not opened, or 0. */
    private volatile int refused;

    /** Opens watches; returns when all are open. The path has the query of a watch. */
    Http2Watches(Connection server, String path, int watches) throws Exception {
        String token = server.tokens().isPresent() ? server.tokens().get().token() : "";
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.server() + path))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            for (int i = 0; i < watches; i++) {
                if (i % STREAMS == 0) {
                    connections.add(connect(server));
                }
                awaitOpen(1);
                var _ = connections.getLast().sendAsync(request, this::opened);
            }
            awaitOpen(AT_ONCE);
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private HttpClient connect(Connection server) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .executor(threads)
                .sslContext(server.tls().orElseThrow())
                .version(HttpClient.Version.HTTP_2)
                .build();
        // the first request of a client decides on the protocol of all that follow
        HttpResponse<Void> version = client.send(
                HttpRequest.newBuilder(URI.create(server.server() + "/version")).build(),
                HttpResponse.BodyHandlers.discarding());
        check(version.version() == HttpClient.Version.HTTP_2, "the connection speaks HTTP/2");
        return client;
    }

    private void awaitOpen(int watches) throws InterruptedException {
        check(free.tryAcquire(watches, PATIENCE.toSeconds(), TimeUnit.SECONDS), "watches are opened");
        check(refused == 0, "a watch was answered with " + refused);
    }

    private BodySubscriber<Void> opened(HttpResponse.ResponseInfo response) {
        if (response.statusCode() != 200) {
            refused = response.statusCode();
        }
        free.release();
        return BodySubscribers.ofByteArrayConsumer(this::count);
    }

    private void count(Optional<byte[]> bytes) {
        if (bytes.isPresent()) {
            int ends = 0;
            for (byte each : bytes.get()) {
                if (each == '\n') {
                    ends++;
                }
            }
            add(ends);
        }
    }

    private synchronized void add(int received) {
        events += received;
        notifyAll();
    }

    /** Waits until all watches together have received a number of events. */
    synchronized void await(long number) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (events < number) {
            long left = end - System.nanoTime();
            check(left > 0, "each watch has the event: " + events + " of " + number);
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    @Override
    public void close() {
        connections.forEach(HttpClient::shutdownNow);
        threads.shutdownNow();
    }
}
