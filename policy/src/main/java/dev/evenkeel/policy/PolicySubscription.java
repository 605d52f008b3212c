package dev.evenkeel.policy;

import dev.evenkeel.policy.internal.sync.SyncStream;
import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The updates of a host that a {@link PolicySyncClient} receives: one sequence over all connections. The first batch ends
 * with {@code InSync}. After a connection has broken, the sequence continues with the difference between what was received
 * and the state that the server sends, when that is complete; so nothing is removed that is still wanted.
 */
public final class PolicySubscription implements AutoCloseable {
    private final SyncStream stream;

    PolicySubscription(SyncStream stream) {
        this.stream = stream;
    }

    /**
     * Waits for the next batch, at most for this time; returns an empty one when it has elapsed.
     *
     * @throws InterruptedException when interrupted while it waits
     */
    public List<Update> poll(Duration timeout) throws InterruptedException {
        return stream.poll(timeout);
    }

    /** Returns the reason why there is no connection; empty while there is one. */
    public Optional<String> failure() {
        return stream.failure();
    }

    /** Ends the subscription. */
    @Override
    public void close() {
        stream.close();
    }
}
