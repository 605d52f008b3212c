package dev.evenkeel.reconcile.manage;

import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The writes in which managers differ. */
interface WriteStrategy<C extends HasMetadata> {
    C create(Reconciliation<?> reconciliation, C desired);

    /** Returns the write that brings the actual to the desired state; empty when nothing differs. */
    Optional<Change<C>> change(Reconciliation<?> reconciliation, C actual, C desired);

    /** Returns the verbs of access rules. */
    Set<String> verbs();

    /**
     * A pending write.
     *
     * @param before the actual object; irrelevant fields may be omitted
     * @param after the desired object
     * @param write writes, and returns the stored object
     */
    record Change<C>(Supplier<C> before, C after, Supplier<C> write) {}
}
