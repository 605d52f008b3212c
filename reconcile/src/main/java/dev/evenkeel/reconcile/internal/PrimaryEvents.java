package dev.evenkeel.reconcile.internal;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/** Records events about the primary object of a reconciliation. */
public final class PrimaryEvents {
    private PrimaryEvents() {}

    /**
     * Records an event about the primary object: with the recorder of the original reconciliation, and about the object
     * in its own kind, though {@code resource} may be of a class that is a view of many.
     *
     * @param resource the primary object as the part sees it
     */
    public static void tell(
            Reconciliation<?> reconciliation,
            HasMetadata resource,
            EventRecorder.Type type,
            String reason,
            String action,
            String message) {
        Reconciliation<?> original = ReconciliationView.original(reconciliation);
        original.events().record(reference(original.kind(), resource), type, reason, action, message);
    }

    private static HasMetadata reference(Kind<?> kind, HasMetadata resource) {
        if (kind.javaType().isInstance(resource)) {
            return resource;
        }
        GenericKubernetesResource reference = new GenericKubernetesResource();
        reference.setApiVersion(kind.apiVersion());
        reference.setKind(kind.kind());
        reference.setMetadata(new ObjectMetaBuilder(resource.getMetadata()).build());
        return reference;
    }
}
