package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.grpc.internal.call.Errors;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The connection of a watch: sends events as fast as the client takes them, and wakes the thread of the watch. A client that
 * takes none for the write timeout is disconnected.
 *
 * <p>One thread sends and waits; the other methods may be called from any thread, and do not wait.
 */
final class EventStream<E> {
    private final ServerCallStreamObserver<E> client;
    private final Duration writeTimeout;
    private final String continuation;
    private final Semaphore wake = new Semaphore(0);
    private volatile boolean cancelled;
    private volatile boolean stopping;

    /** @param continuation how a client continues that was too slow, for its error message */
    EventStream(ServerCallStreamObserver<E> client, Duration writeTimeout, String continuation) {
        this.client = client;
        this.writeTimeout = writeTimeout;
        this.continuation = continuation;
    }

    /** Wakes the thread of the watch. */
    void signal() {
        if (wake.availablePermits() == 0) {
            wake.release();
        }
    }

    /** Ends the watch of a client that is gone. */
    void cancel() {
        cancelled = true;
        wake.release();
    }

    /** Ends the watch since the server stops. */
    void stop() {
        stopping = true;
        wake.release();
    }

    /** Returns true if the watch is to end. */
    boolean ending() {
        return cancelled || stopping;
    }

    /**
     * Checks that the watch may continue.
     *
     * @throws Ended when the client is gone or the server stops
     */
    void requireRunning() {
        if (cancelled || client.isCancelled()) {
            throw new Ended(false);
        }
        if (stopping) {
            throw new Ended(true);
        }
    }

    /** Waits for a signal, or until a time by {@link System#nanoTime}. */
    void await(long until) throws InterruptedException {
        var unused = wake.tryAcquire(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        wake.drainPermits();
    }

    /**
     * Sends an event as soon as the client takes it.
     *
     * @throws Ended when the client is gone or the server stops
     */
    void send(E event) throws InterruptedException {
        requireRunning();
        long deadline = System.nanoTime() + writeTimeout.toNanos();
        while (!client.isReady()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw Errors.of(
                        Code.RESOURCE_EXHAUSTED,
                        "SLOW_READER",
                        "the client took no event for " + writeTimeout.toSeconds() + " seconds; continue "
                                + continuation);
            }
            var unused = wake.tryAcquire(left, TimeUnit.NANOSECONDS);
            requireRunning();
        }
        client.onNext(event);
    }

    /** Thrown when a watch cannot send events any more. */
    static final class Ended extends RuntimeException {
        private final boolean stopping;

        private Ended(boolean stopping) {
            super(stopping ? "the server is stopping" : "the client is gone", null, false, false);
            this.stopping = stopping;
        }

        /** Returns true if the client is connected and the server stops. */
        boolean stopping() {
            return stopping;
        }
    }
}
