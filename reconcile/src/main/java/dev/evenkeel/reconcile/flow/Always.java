package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Runs parts in order, all of them, however they end. The outcome is that of all. */
public final class Always {
    private Always() {}

    /** Returns a part of these parts, in this order; may be empty. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T>... parts) {
        return Sequence.of("Always", outcome -> false, Part.all(parts));
    }
}
