package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A function given to a part for some point of its run: usually a few lines, which are not shown in diagrams; but if it
 * is a part, it is shown as a part in the other.
 */
record Step<T extends HasMetadata>(String name, SubReconciler<T> given, Part<T> part) {
    Step(String name, SubReconciler<T> given) {
        this(name, given, Part.of(Part.Description.of(name), given));
    }

    /** Returns the description of the surrounding part, with this step in it. */
    Part.Description in(Part.Description around) {
        return given instanceof Part<T> inner
                ? around.slots(name, inner)
                : around.needs(part.description().needs());
    }
}
