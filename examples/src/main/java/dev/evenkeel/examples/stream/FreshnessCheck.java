package dev.evenkeel.examples.stream;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Ends a sequence when the object in memory differs from the API's: caches lag at times, most of all after a start.
 *
 * <p>For trees that call external services: such a call cannot be undone, and another object may have taken the name
 * meanwhile. An object that is as stored, and has a finalizer, stays until this process releases it. Trees that only
 * write to the API do not need it: versions and uids refuse late writes, and children are not created for a deleted
 * object.
 *
 * <p>An object that differs from the stored one is skipped, since an event for it is on its way.
 */
final class FreshnessCheck {
    private FreshnessCheck() {}

    static <T extends HasMetadata> Part<T> of() {
        return Part.of(Part.Description.of("FreshnessCheck"), (reconciliation, object) -> {
            String version = object.getMetadata().getResourceVersion();
            return reconciliation
                    .client()
                    .find(reconciliation.kind(), ObjectKey.of(object))
                    .filter(stored -> stored.getMetadata().getResourceVersion().equals(version))
                    .map(stored -> Result.done())
                    .orElse(Result.halted().skipStatus());
        });
    }
}
