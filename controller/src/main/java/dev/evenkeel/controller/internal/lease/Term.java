package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One time of holding a lease. Every acquisition is a new term, also of the same lease by the same process.
 *
 * <p>A term is over when it could not be renewed by the renew deadline, counted by the monotonic clock from before the
 * last successful renewal was sent: earlier than anybody else may take the lease, whatever the API does meanwhile. Who
 * comes back from a long pause finds {@link #holds} false; should he write before he looks, the {@link #fence} refuses it.
 */
public final class Term {
    private final Fence fence;
    private final Scheduler scheduler;
    private final LongSupplier remainingNanos;
    private volatile boolean over;
    private final AtomicBoolean endingSaid = new AtomicBoolean();
    private final AtomicBoolean lostSaid = new AtomicBoolean();
    private final CompletableFuture<Void> ending = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    /** A term that lasts as long as something remains, or until {@link #lose}. */
    Term(Fence fence, Scheduler scheduler, LongSupplier remainingNanos) {
        this.fence = fence;
        this.scheduler = scheduler;
        this.remainingNanos = remainingNanos;
    }

    /** Give it with every write: see {@link dev.evenkeel.client.WriteOptions#withFence}. */
    public Fence fence() {
        return fence;
    }

    /** Who holds the lease. */
    public String holder() {
        return fence.holder();
    }

    /** How long this may still go on if nothing is heard of the API; zero when it is over. */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    /** Once it was over it stays so: whoever saw that may have dropped what it had still to do. */
    private long remainingNanos() {
        if (over || lostSaid.get()) {
            return 0;
        }
        long nanos = remainingNanos.getAsLong();
        if (nanos <= 0) {
            over = true;
            return 0;
        }
        return nanos;
    }

    /** Whether it is not over. Costs a look at the clock. */
    public boolean holds() {
        return remainingNanos() > 0;
    }

    /** Whether it was asked to end, or is over: nothing new should be begun. */
    public boolean isEnding() {
        return endingSaid.get() || !holds();
    }

    /** Done when the term should end in good order, and also when it is lost. */
    public CompletableFuture<Void> ending() {
        return ending.copy();
    }

    /** Done when the term is over: everything must stop at once. */
    public CompletableFuture<Void> lost() {
        return lost.copy();
    }

    /** Asks for the end. */
    void end() {
        if (endingSaid.compareAndSet(false, true)) {
            // those who wait run whatever they like: not in the thread of the one who asks
            scheduler.execute("end of " + fence.lease(), () -> ending.complete(null));
        }
    }

    /** Over. */
    void lose() {
        endingSaid.set(true);
        if (lostSaid.compareAndSet(false, true)) {
            scheduler.execute("loss of " + fence.lease(), () -> {
                lost.complete(null);
                ending.complete(null);
            });
        }
    }

    @Override
    public String toString() {
        return fence.lease() + " held by " + fence.holder() + ", term " + fence.transitions()
                + (holds() ? "" : ", over");
    }
}
