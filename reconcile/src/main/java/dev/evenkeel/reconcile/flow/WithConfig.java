package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiFunction;

/**
 * A part with another client or event recorder than the parts around it: with fewer rights, or of another cluster. The
 * primary object is still written, and events about it recorded, with the client that loaded it.
 *
 * <p>The configuration is computed once in each reconciliation, and may depend on the object.
 */
public final class WithConfig {
    private WithConfig() {}

    /** Returns the part with a configuration in the cluster of the primary object. */
    public static <T extends HasMetadata> Part<T> of(
            BiFunction<Reconciliation<T>, Part.Config, Part.Config> config, SubReconciler<T> part) {
        Part<T> inner = Part.of(part);
        return Part.of(Part.Description.of("WithConfig").slots("reconciler", inner), (reconciliation, resource) -> {
            Part.Config present = Part.Config.of(reconciliation);
            Part.Config wanted = config.apply(reconciliation, present);
            if (wanted.elsewhere() && !present.elsewhere()) {
                throw new IllegalStateException("WithConfig: the configuration is of another cluster, in which nothing"
                        + " triggers this controller: use WithConfig.elsewhere(...)");
            }
            return inner.reconcile(ReconciliationView.with(reconciliation, wanted), resource);
        });
    }

    /**
     * Returns the part in another cluster. Its needs are not declared to the controller, which watches its own cluster
     * only; so the part must requeue itself, with {@code Result.after(...)}.
     */
    public static <T extends HasMetadata> Part<T> elsewhere(
            BiFunction<Reconciliation<T>, Part.Config, Part.Config> config, SubReconciler<T> part) {
        Part<T> inner = Part.of(part);
        return Part.of(
                Part.Description.of("WithConfig")
                        .slots("reconciler", inner.description().undeclared()),
                (reconciliation, resource) -> {
                    Part.Config wanted = config.apply(reconciliation, Part.Config.of(reconciliation));
                    return inner.reconcile(
                            ReconciliationView.with(reconciliation, wanted.elsewhere(wanted.client())), resource);
                });
    }
}
