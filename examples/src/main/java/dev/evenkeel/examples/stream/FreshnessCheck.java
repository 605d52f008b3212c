package dev.evenkeel.examples.stream;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Ends a sequence when the object in hand is not what the API has: caches are behind at times, most of all after a start.
 *
 * <p>For trees that call somebody outside of the API: such a call cannot be taken back, and a name may have come to another
 * object meanwhile. An object that is as it is stored, and has a finalizer, stays until this process lets it go. Trees that
 * only write to the API need it not: versions and uids see to it that what is late is refused, and children are not made for
 * an object that is gone.
 *
 * <p>An object that is not as it is stored is left alone, since news of it is on its way.
 */
final class FreshnessCheck {
    private FreshnessCheck() {}

    /** The part. */
    static <T extends HasMetadata> Part<T> of() {
        return Part.of(Description.of("FreshnessCheck"), (reconciliation, object) -> {
            String version = object.getMetadata().getResourceVersion();
            return reconciliation
                    .client()
                    .find(reconciliation.kind(), ObjectKey.of(object))
                    .filter(stored -> stored.getMetadata().getResourceVersion().equals(version))
                    .map(stored -> Outcome.done())
                    .orElse(Outcome.halted().withStatusSkipped());
        });
    }
}
