package dev.evenkeel.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be stopped when the command ends: by itself, or by SIGTERM or SIGINT, which count as a good end. Stopped in
 * the opposite order of their start.
 */
final class Lifetime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private boolean closed;

    /** Stops this too, at the end. */
    synchronized <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /** From now on a signal stops all, and ends the process with 0. */
    void endBySignal() {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("evenkeel stop").unstarted(() -> {
                    if (stop()) {
                        Runtime.getRuntime().halt(0);
                    }
                }));
    }

    /** Waits for a signal, for ever. */
    void awaitSignal() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void close() {
        stop();
    }

    /** Whether it was this call that stopped all. */
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
