package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A part with a function of its outcome, and a step that always runs afterwards.
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

    /** A function of an outcome. */
    @FunctionalInterface
    public interface Catch<T extends HasMetadata> {
        /**
         * Returns the final outcome.
         *
         * @param outcome outcome of the part, successful or not
         */
        Result caught(Reconciliation<T> reconciliation, T resource, Result outcome);
    }

    /** Returns an instance with this part alone. */
    public static <T extends HasMetadata> TryCatch<T> of(SubReconciler<T> part) {
        return new TryCatch<>(Part.of(part), Optional.empty(), Optional.empty());
    }

    /**
     * Returns a copy with a function of the outcome, also of a success. Its exceptions are added to the outcome of the
     * part.
     */
    public TryCatch<T> catching(Catch<T> value) {
        return new TryCatch<>(part, Optional.of(value), last);
    }

    /** Returns a copy with a part that runs afterwards, however the others ended; its outcome is added to theirs. */
    public TryCatch<T> finallyDoing(SubReconciler<T> value) {
        return new TryCatch<>(part, handler, Optional.of(Part.of(value)));
    }

    /** Returns the part. */
    public Part<T> build() {
        Part.Description description = Part.Description.of("TryCatch").slots("try", part);
        for (Part<T> one : last.stream().toList()) {
            description = description.slots("finally", one);
        }
        return Part.of(description, (reconciliation, resource) -> {
            Result tried = part.reconcile(reconciliation, resource);
            Result caught = handler.map(one ->
                            Outcomes.mapped("catch", tried, outcome -> one.caught(reconciliation, resource, outcome)))
                    .orElse(tried);
            return last.map(one -> caught.plus(one.reconcile(reconciliation, resource)))
                    .orElse(caught);
        });
    }
}
