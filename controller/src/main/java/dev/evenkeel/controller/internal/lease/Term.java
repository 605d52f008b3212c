package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A period of holding a lease. Every acquisition is a new term, also of the same lease by the same process.
 *
 * <p>A term is over when it could not be renewed by the renew deadline, counted by the monotonic clock from before the
 * last successful renewal was sent: earlier than another process may take the lease, whatever the API does meanwhile. A
 * process that resumes after a long pause finds {@link #holds} false; if it writes without checking, the {@link #fence}
 * makes the server refuse the write.
 */
public final class Term {
    private static final Logger LOG = LoggerFactory.getLogger(Term.class);

    private final Fence fence;
    private final Scheduler scheduler;
    private final LongSupplier remainingNanos;
    private volatile boolean over;
    private final AtomicBoolean endingSaid = new AtomicBoolean();
    private final AtomicBoolean lostSaid = new AtomicBoolean();
    private final CompletableFuture<Void> ending = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    /** Creates a term that lasts as long as time remains, or until {@link #lose}. */
    Term(Fence fence, Scheduler scheduler, LongSupplier remainingNanos) {
        this.fence = fence;
        this.scheduler = scheduler;
        this.remainingNanos = remainingNanos;
    }

    /** Returns the fence to pass with every write: see {@link dev.evenkeel.client.WriteOptions#fence}. */
    public Fence fence() {
        return fence;
    }

    /** Returns the time that remains if no renewal succeeds; zero when the term is over. */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    /** A term that was over once stays over: a caller that saw that may have dropped its work. */
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

    /** Returns whether the term is not over. Costs a read of the clock. */
    public boolean holds() {
        return remainingNanos() > 0;
    }

    /** Returns whether the term is ending or over: no new work may begin. */
    public boolean isEnding() {
        return endingSaid.get() || !holds();
    }

    /** Completes when the term should end gracefully, and also when it is lost. */
    public CompletableFuture<Void> ending() {
        return ending.copy();
    }

    /** Completes when the term is over: all work must stop at once. */
    public CompletableFuture<Void> lost() {
        return lost.copy();
    }

    /**
     * Starts the work of this term, and returns its end. The end of work that fails, in any way, is logged: a lease
     * under which nothing runs must not be held indefinitely.
     */
    @SuppressWarnings("CatchThrowable")
    CompletableFuture<Void> run(Function<Term, CompletableFuture<Void>> work) {
        CompletableFuture<Void> end;
        try {
            end = work.apply(this);
        } catch (Throwable e) {
            end = CompletableFuture.failedFuture(e);
        }
        return end.exceptionally(failure -> {
            LOG.atError().addKeyValue("lease", fence.lease()).setCause(failure).log("the work under the lease failed");
            return null;
        });
    }

    void end() {
        if (endingSaid.compareAndSet(false, true)) {
            // dependents may run anything, so they do not run in the caller's thread
            scheduler.execute("end of " + fence.lease(), () -> ending.complete(null));
        }
    }

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
