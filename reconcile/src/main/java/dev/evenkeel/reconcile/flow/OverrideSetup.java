package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.reconcile.part.Requirement;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part of whose needs nothing is declared to the controller, and what is declared instead. What the part may do stays
 * allowed, and what it would have read by watching, it may read.
 */
public final class OverrideSetup {
    private static final String TYPE = "OverrideSetup";

    private OverrideSetup() {}

    /** This part, with these needs instead of its own. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> part, Requirement... needs) {
        Part<T> inner = Part.of(part);
        return Part.of(
                Description.of(TYPE)
                        .needing(needs)
                        .with("reconciler", inner.description().undeclared()),
                inner);
    }

    /** A part that does nothing but need this. */
    public static <T extends HasMetadata> Part<T> of(Requirement... needs) {
        if (needs.length == 0) {
            throw new IllegalStateException(
                    TYPE + " must define at least one of part or needs: without both it is of no use");
        }
        return Part.of(Description.of(TYPE).needing(needs), (reconciliation, resource) -> Outcome.done());
    }
}
