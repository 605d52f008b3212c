package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * With what a part reads, writes and tells. A value: {@code with...} gives another one, with all else as it was.
 *
 * @param client reads and writes
 * @param events tells people
 * @param elsewhere whether the client is of another cluster than the primary object's, which the controller does not watch
 */
public record Config(Client client, EventRecorder events, boolean elsewhere) {
    /** What a reconciliation has. */
    public static Config of(Reconciliation<?> reconciliation) {
        return reconciliation instanceof ReconciliationView<? extends HasMetadata> view
                ? view.config()
                : new Config(reconciliation.client(), reconciliation.events(), false);
    }

    /** The same with another client of the same cluster, such as one with less rights. */
    public Config withClient(Client value) {
        return new Config(value, events, elsewhere);
    }

    /** The same with the client of another cluster. */
    public Config withCluster(Client value) {
        return new Config(value, events, true);
    }

    /** The same with another recorder of events. */
    public Config withEvents(EventRecorder value) {
        return new Config(client, value, elsewhere);
    }
}
