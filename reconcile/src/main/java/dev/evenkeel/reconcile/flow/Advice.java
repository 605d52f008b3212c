package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part with steps before, around and after it.
 *
 * @param <T> class of the primary objects
 */
public final class Advice<T extends HasMetadata> {
    private final Part<T> part;
    private final SubReconciler<T> before;
    private final Around<T> around;
    private final After<T> after;

    private Advice(Part<T> part, SubReconciler<T> before, Around<T> around, After<T> after) {
        this.part = part;
        this.before = before;
        this.around = around;
        this.after = after;
    }

    /** The step around a part. */
    @FunctionalInterface
    public interface Around<T extends HasMetadata> {
        /**
         * Calls the part, once, never, or several times, with a reconciliation of its choice.
         *
         * @param part the part, whose needs are declared whether it is called or not
         */
        Result around(SubReconciler<T> part, Reconciliation<T> reconciliation, T resource);
    }

    /** The step after a part. */
    @FunctionalInterface
    public interface After<T extends HasMetadata> {
        /**
         * Returns the final outcome.
         *
         * @param outcome outcome of all before
         */
        Result after(Reconciliation<T> reconciliation, T resource, Result outcome);
    }

    /** Returns the part without steps. */
    public static <T extends HasMetadata> Advice<T> of(SubReconciler<T> part) {
        return new Advice<>(
                Part.of(part),
                (reconciliation, resource) -> Result.done(),
                SubReconciler::reconcile,
                (reconciliation, resource, outcome) -> outcome);
    }

    /** Returns a copy with a first step. If it stops, that is the outcome, and nothing else is done. */
    public Advice<T> before(SubReconciler<T> value) {
        return new Advice<>(part, value, around, after);
    }

    /** Returns a copy in which this calls the part. */
    public Advice<T> around(Around<T> value) {
        return new Advice<>(part, before, value, after);
    }

    /**
     * Returns a copy with a function of the final outcome, also called when the part failed. Its exceptions are added
     * to the outcome before.
     */
    public Advice<T> after(After<T> value) {
        return new Advice<>(part, before, around, value);
    }

    /** Returns the part. */
    public Part<T> build() {
        Step<T> first = new Step<>("before", before);
        Part.Description description = first.in(Part.Description.of("Advice")).slots("reconciler", part);
        Part<T> call = Part.of(
                Part.Description.of("around"),
                (reconciliation, resource) -> around.around(part, reconciliation, resource));
        return Part.of(description, (reconciliation, resource) -> {
            Result started = first.part().reconcile(reconciliation, resource);
            if (started.stops()) {
                return started;
            }
            Result ended = started.plus(call.reconcile(reconciliation, resource));
            return Outcomes.mapped("after", ended, outcome -> after.after(reconciliation, resource, outcome));
        });
    }
}
