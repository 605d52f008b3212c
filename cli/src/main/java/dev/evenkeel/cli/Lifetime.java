package dev.evenkeel.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts to stop when the command ends: by itself, or by SIGTERM or SIGINT, which count as success. They are stopped
 * in reverse order of their start.
 */
final class Lifetime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private boolean closed;

    /** Adds a part to stop at the end. */
    synchronized <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /** Stops all parts on a signal from now on, and ends the process with 0. */
    void endBySignal() {
        endBySignal(0);
    }

    /** Stops all parts on a signal from now on, and ends the process with an exit code. */
    void endBySignal(int exitCode) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("evenkeel stop").unstarted(() -> {
                    if (stop()) {
                        Runtime.getRuntime().halt(exitCode);
                    }
                }));
    }

    /** Waits for a signal indefinitely. */
    void awaitSignal() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void close() {
        stop();
    }

    /** Stops all parts; returns false if another call has done so. */
    private synchronized boolean stop() {
        if (closed) {
            return false;
        }
        closed = true;
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.atError()
                        .setCause(e)
                        .log("{} did not stop properly", part.getClass().getSimpleName());
            }
        }
        return true;
    }
}
