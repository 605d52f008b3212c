package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A part whose needs are not declared to the controller, but others instead. The part keeps its access rules, and may
 * read the objects that it would have watched.
 */
public final class OverrideSetup {
    private static final String TYPE = "OverrideSetup";

    private OverrideSetup() {}

    /** Returns the part with these needs instead of its own. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> part, Part.Requirement... needs) {
        Part<T> inner = Part.of(part);
        return Part.of(
                Part.Description.of(TYPE)
                        .needs(needs)
                        .slots("reconciler", inner.description().undeclared()),
                inner);
    }

    /** Returns a part that does nothing but declare needs. */
    public static <T extends HasMetadata> Part<T> of(Part.Requirement... needs) {
        if (needs.length == 0) {
            throw new IllegalStateException(
                    TYPE + " must define at least one of part or needs: without both it is of no use");
        }
        return Part.of(Part.Description.of(TYPE).needs(needs), (reconciliation, resource) -> Result.done());
    }
}
