package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** The threads that wait until a revision is in memory. */
final class Arrivals {
    private final LongSupplier present;
    private final ConcurrentSkipListMap<Long, CompletableFuture<Void>> waiting = new ConcurrentSkipListMap<>();

    /** @param present the revision in memory */
    Arrivals(LongSupplier present) {
        this.present = present;
    }

    /** Wakes the threads whose revision is in memory now. */
    void signal() {
        var reached = waiting.headMap(present.getAsLong(), true);
        while (!reached.isEmpty()) {
            var first = reached.pollFirstEntry();
            if (first != null) {
                first.getValue().complete(null);
            }
        }
    }

    /**
     * Waits until a revision is in memory.
     *
     * @throws StoreException when it is not after a time
     */
    void await(long revision, Duration timeout) throws InterruptedException {
        if (present.getAsLong() >= revision) {
            return;
        }
        CompletableFuture<Void> arrival = waiting.computeIfAbsent(revision, r -> new CompletableFuture<>());
        if (present.getAsLong() >= revision) {
            signal(); // it came before it was waited for
        }
        try {
            arrival.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StoreException(
                    "etcd is at revision " + revision + ", of which its watch has sent no more than "
                            + present.getAsLong() + " within " + timeout.toMillis() + " ms",
                    e);
        } catch (ExecutionException e) {
            throw new AssertionError(e); // never completed so
        }
    }
}
