package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Fence;
import dev.evenkeel.controller.internal.lease.Term;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A controller's right to work at the keys of a slot: for good, or for a {@link Term}.
 *
 * <p>Keys are entered and left. Once it is closed none is entered, and it ends when the last is left: whoever comes next
 * begins after that.
 */
final class Activation {
    private final int slot;
    private final Optional<Term> term;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private int inFlight;
    private boolean open;
    private boolean closed;

    Activation(int slot, Optional<Term> term) {
        this.slot = slot;
        this.term = term;
    }

    int slot() {
        return slot;
    }

    Optional<Fence> fence() {
        return term.map(Term::fence);
    }

    /** Whether writes are allowed still. */
    boolean holds() {
        return term.isEmpty() || term.get().holds();
    }

    /** Keys may be entered from now on. */
    synchronized boolean open() {
        open = !closed;
        return open;
    }

    synchronized boolean isOpen() {
        return open && !closed;
    }

    /** Enters a key, if keys may be entered. */
    synchronized boolean enter() {
        if (!open || closed || (term.isPresent() && term.get().isEnding())) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Leaves a key. */
    void leave() {
        boolean last;
        synchronized (this) {
            inFlight--;
            last = closed && inFlight == 0;
        }
        if (last) {
            end.complete(null);
        }
    }

    /** Lets no more keys in. */
    void close() {
        boolean last;
        synchronized (this) {
            closed = true;
            last = inFlight == 0;
        }
        if (last) {
            end.complete(null);
        }
    }

    /** Done when it is closed and the last key is left. */
    CompletableFuture<Void> end() {
        return end;
    }
}
