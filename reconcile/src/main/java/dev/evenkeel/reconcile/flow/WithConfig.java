package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Config;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiFunction;

/**
 * A part that reads, writes and tells with something else than the parts around it: a client with less rights, or that of
 * another cluster. The primary object is still written, and events about it recorded, with what it was loaded with.
 *
 * <p>What it is, is asked for once in each reconciliation, and may depend on the object.
 */
public final class WithConfig {
    private WithConfig() {}

    /** This part, in the cluster of the primary object. */
    public static <T extends HasMetadata> Part<T> of(
            BiFunction<Reconciliation<T>, Config, Config> config, SubReconciler<T> part) {
        Part<T> inner = Part.of(part);
        return Part.of(Description.of("WithConfig").with("reconciler", inner), (reconciliation, resource) -> {
            Config present = Config.of(reconciliation);
            Config wanted = config.apply(reconciliation, present);
            if (wanted.elsewhere() && !present.elsewhere()) {
                throw new IllegalStateException("WithConfig: the configuration is of another cluster, in which nothing"
                        + " wakes what this controller declares: use WithConfig.elsewhere(...)");
            }
            return inner.reconcile(ReconciliationView.with(reconciliation, wanted), resource);
        });
    }

    /**
     * This part, in another cluster. What it needs is not declared to the controller, which watches its own cluster only;
     * so the part must come back by itself, with {@code Outcome.after(...)}.
     */
    public static <T extends HasMetadata> Part<T> elsewhere(
            BiFunction<Reconciliation<T>, Config, Config> config, SubReconciler<T> part) {
        Part<T> inner = Part.of(part);
        return Part.of(
                Description.of("WithConfig")
                        .with("reconciler", inner.description().undeclared()),
                (reconciliation, resource) -> {
                    Config wanted = config.apply(reconciliation, Config.of(reconciliation));
                    return inner.reconcile(
                            ReconciliationView.with(reconciliation, new Config(wanted.client(), wanted.events(), true)),
                            resource);
                });
    }
}
