package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A server that a test attacks, in a process of its own with a heap of {@value #HEAP} MB, which ends if that is not enough.
 *
 * <p>After each attack, {@link #assertServed} tells whether a normal client is served in time, and the heap is not more than half full.
 */
public final class AttackedServer implements AutoCloseable {
    /** The heap of the process in megabytes. */
    public static final int HEAP = 256;

    /** The time that a normal client may have to wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Lets small requests be served next to others, as the launcher of the server does. */
    private static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism=16";

    /** In a short test, the optimizing compiler takes more time than it saves. */
    private static final List<String> LIKE_THE_LAUNCHER =
            List.of(CARRIERS, "-XX:TieredStopAtLevel=4", "-XX:+UseCompactObjectHeaders");

    private static final String SERVING = "serving on ";
    private static final long MIB = 1024 * 1024;

    private final JavaProcess process;
    private final String address;
    private final String token;
    private long mostHeap;

    /** Requests of a normal client, the results of which it has checked. */
    @FunctionalInterface
    public interface NormalRequests {
        /**
         * Sends the requests.
         *
         * @throws IOException when a connection that was kept has been closed meanwhile
         */
        void send() throws IOException, InterruptedException;
    }

    private AttackedServer(JavaProcess process, String address, String token) {
        this.process = process;
        this.address = address;
        this.token = token;
    }

    /** Launches a server, the main class of which calls {@link #serve}. */
    public static AttackedServer launch(Class<?> main) throws IOException, InterruptedException {
        JavaProcess process = JavaProcess.startWithHeap(
                HEAP, System.getProperty(HostileSoak.LENGTH) == null ? List.of(CARRIERS) : LIKE_THE_LAUNCHER, main);
        String[] line = process.await(said -> said.startsWith(SERVING))
                .substring(SERVING.length())
                .split(" ", -1);
        return new AttackedServer(process, line[0], line[1]);
    }

    /** Reports the address of the server of this process to the test, and waits for its end; called by the main class. */
    public static void serve(String address, String token) throws InterruptedException {
        System.out.println(SERVING + address + " " + token);
        new CountDownLatch(1).await();
    }

    /** Returns the address, as the main class has reported it. */
    public String address() {
        return address;
    }

    /** Returns the token of the administrator. */
    public String token() {
        return token;
    }

    /** Checks that a normal client is served in time, unless the machine is too busy three times in a row; and the heap. */
    public void assertServed(String after, NormalRequests normal) throws InterruptedException {
        Duration took = Duration.ZERO;
        AssertionError late = new AssertionError("no request was sent after " + after);
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            try {
                normal.send();
            } catch (IOException e) { // the next connection is fresh
                late = new AssertionError("no connection after " + after, e);
                continue;
            }
            took = Duration.ofNanos(System.nanoTime() - start);
            if (took.compareTo(PATIENCE) < 0) {
                assertHeap(after);
                return;
            }
            late = new AssertionError("a normal client waited for " + took + " after " + after);
        }
        throw late;
    }

    /** Checks that the heap is not more than half full after a collection. */
    public void assertHeap(String after) throws InterruptedException {
        long heap = process.heap();
        mostHeap = Math.max(mostHeap, heap);
        assertThat(heap / MIB).as("MB of heap after " + after).isLessThan(HEAP / 2);
    }

    /** Returns the most megabytes of heap that were in use after an attack. */
    public long mostHeap() {
        return mostHeap / MIB;
    }

    @Override
    public void close() {
        process.close();
    }
}
