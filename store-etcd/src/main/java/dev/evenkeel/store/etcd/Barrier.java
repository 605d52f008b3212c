package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the revision of the last commit for many threads at once.
 *
 * <p>A read that began before a thread came may lack a commit that the thread knows of. So threads that come while one is
 * under way share the next one.
 */
final class Barrier {
    private final LongSupplier head;
    private @Nullable CompletableFuture<Long> running;
    private @Nullable CompletableFuture<Long> next;

    /** @param head reads the revision from etcd */
    Barrier(LongSupplier head) {
        this.head = head;
    }

    /**
     * Returns a revision that no commit which returned before this call is after.
     *
     * @throws StoreException when etcd does not tell
     */
    long pass() throws InterruptedException {
        CompletableFuture<Long> mine;
        synchronized (this) {
            if (running == null) {
                running = new CompletableFuture<>();
                mine = running;
                start(mine);
            } else {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                mine = next;
            }
        }
        try {
            return mine.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failure
                    ? new StoreException(failure.reason(), String.valueOf(failure.getMessage()), failure)
                    : new StoreException("cannot read etcd: " + e.getCause(), e);
        }
    }

    private void start(CompletableFuture<Long> result) {
        Thread.startVirtualThread(() -> {
            try {
                result.complete(head.getAsLong());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            } finally {
                ended();
            }
        });
    }

    private synchronized void ended() {
        running = next;
        next = null;
        if (running != null) {
            start(running);
        }
    }
}
