package dev.evenkeel.reconcile.manage;

import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** How a manager writes: what is different between them. */
interface Writing<C extends HasMetadata> {
    /** Makes an object that is not there. */
    C create(Reconciliation<?> reconciliation, C desired);

    /** What is to be written, for the one to become the other; empty when it is as it should be. */
    Optional<Change<C>> change(Reconciliation<?> reconciliation, C actual, C desired);

    /** What must be allowed. */
    Set<String> verbs();

    /**
     * Something to be written.
     *
     * @param before what is there; what does not count may be left out
     * @param after what should be there
     * @param write writes, and gives the object as it is there then
     */
    record Change<C>(Supplier<C> before, C after, Supplier<C> write) {}
}
