package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The client and event recorder of a part. Immutable.
 *
 * @param client reads and writes
 * @param events records events
 * @param elsewhere whether the client is of another cluster than the primary object's, which the controller does not
 *     watch
 */
public record Config(Client client, EventRecorder events, boolean elsewhere) {
    /** Returns the configuration of a reconciliation. */
    public static Config of(Reconciliation<?> reconciliation) {
        return reconciliation instanceof ReconciliationView<? extends HasMetadata> view
                ? view.config()
                : new Config(reconciliation.client(), reconciliation.events(), false);
    }

    /** Returns a copy with another client of the same cluster, such as one with less rights. */
    public Config withClient(Client value) {
        return new Config(value, events, elsewhere);
    }

    /** Returns a copy with the client of another cluster. */
    public Config withCluster(Client value) {
        return new Config(value, events, true);
    }

    /** Returns a copy with another recorder of events. */
    public Config withEvents(EventRecorder value) {
        return new Config(client, value, elsewhere);
    }
}
