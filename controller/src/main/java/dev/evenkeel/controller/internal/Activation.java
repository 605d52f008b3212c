package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Fence;
import dev.evenkeel.controller.internal.lease.Term;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A controller's right to reconcile the keys of a slot: permanently, or for a {@link Term}.
 *
 * <p>Keys are entered and left. After {@link #close} no key is entered, and the activation ends when the last is left;
 * only then the next one may begin.
 */
final class Activation {
    final int slot;
    private final Optional<Term> term;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private int inFlight;
    private boolean open;
    private boolean closed;

    Activation(int slot, Optional<Term> term) {
        this.slot = slot;
        this.term = term;
    }

    Optional<Fence> fence() {
        return term.map(Term::fence);
    }

    boolean holds() {
        return term.isEmpty() || term.get().holds();
    }

    /** Allows keys to be entered; returns false if it was closed. */
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

    void leave() {
        change(() -> inFlight--);
    }

    void close() {
        change(() -> closed = true);
    }

    private void change(Runnable change) {
        boolean last;
        synchronized (this) {
            change.run();
            last = closed && inFlight == 0;
        }
        if (last) {
            end.complete(null);
        }
    }

    /** Completes when it is closed and the last key is left. */
    CompletableFuture<Void> end() {
        return end;
    }
}
