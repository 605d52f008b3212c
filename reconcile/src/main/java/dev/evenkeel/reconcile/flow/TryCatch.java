package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A part, what is made of its outcome, and what is done afterwards in any case.
 *
 * @param <T> class of the primary objects
 */
public final class TryCatch<T extends HasMetadata> {
    private final Part<T> part;
    private final Optional<Catch<T>> handler;
    private final Optional<Part<T>> last;

    private TryCatch(Part<T> part, Optional<Catch<T>> handler, Optional<Part<T>> last) {
        this.part = part;
        this.handler = handler;
        this.last = last;
    }

    /**
     * What is made of an outcome.
     *
     * @param <T> class of the primary objects
     */
    @FunctionalInterface
    public interface Catch<T extends HasMetadata> {
        /**
         * The outcome that counts.
         *
         * @param outcome how the part ended, well or not
         */
        Outcome caught(Reconciliation<T> reconciliation, T resource, Outcome outcome);
    }

    /** This part. */
    public static <T extends HasMetadata> TryCatch<T> of(SubReconciler<T> part) {
        return new TryCatch<>(Part.of(part), Optional.empty(), Optional.empty());
    }

    /**
     * The same where this decides what the outcome is, also when the part ended well. When it throws, that is added to what
     * the part ended with.
     */
    public TryCatch<T> catching(Catch<T> value) {
        return new TryCatch<>(part, Optional.of(value), last);
    }

    /** Returns a copy with a part that runs afterwards, however the others ended; its outcome is added to theirs. */
    public TryCatch<T> finallyDoing(SubReconciler<T> value) {
        return new TryCatch<>(part, handler, Optional.of(Part.of(value)));
    }

    /** The part. */
    public Part<T> build() {
        Description description = Description.of("TryCatch").with("try", part);
        for (Part<T> one : last.stream().toList()) {
            description = description.with("finally", one);
        }
        return Part.of(description, (reconciliation, resource) -> {
            Outcome tried = part.reconcile(reconciliation, resource);
            Outcome caught = handler.map(one ->
                            OutcomeMapping.of("catch", tried, outcome -> one.caught(reconciliation, resource, outcome)))
                    .orElse(tried);
            return last.map(one -> caught.plus(one.reconcile(reconciliation, resource)))
                    .orElse(caught);
        });
    }
}
