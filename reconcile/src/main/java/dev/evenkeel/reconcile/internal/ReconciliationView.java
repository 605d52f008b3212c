package dev.evenkeel.reconcile.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * A reconciliation as seen by a part of the tree: with another {@link Part.Config}, or with the primary object in another
 * class. All else is that of the {@linkplain #original original} one, with which the primary object is still written.
 */
public record ReconciliationView<T extends HasMetadata>(Reconciliation<?> original, Kind<T> kind, Part.Config config)
        implements Reconciliation<T> {
    /** Returns the reconciliation with another configuration. */
    public static <T extends HasMetadata> Reconciliation<T> with(Reconciliation<T> reconciliation, Part.Config config) {
        return Part.Config.of(reconciliation).equals(config)
                ? reconciliation
                : new ReconciliationView<>(original(reconciliation), reconciliation.kind(), config);
    }

    /** Returns the reconciliation with the primary object in another class. */
    public static <T extends HasMetadata> Reconciliation<T> as(Reconciliation<?> reconciliation, Class<T> type) {
        return new ReconciliationView<>(
                original(reconciliation), reconciliation.kind().in(type), Part.Config.of(reconciliation));
    }

    /** Returns the reconciliation of the root: with the client that has loaded the primary object. */
    public static Reconciliation<?> original(Reconciliation<?> reconciliation) {
        return reconciliation instanceof ReconciliationView<?> view ? view.original : reconciliation;
    }

    /**
     * Returns whether the client of the reconciliation sees the same as the controller's caches. With another identity
     * or another cluster it does not: then objects are read from the API.
     */
    public static boolean cached(Reconciliation<?> reconciliation) {
        return !(reconciliation instanceof ReconciliationView<?> view) || view.sameClient();
    }

    /**
     * Records an event about the primary object: with the recorder of the original reconciliation, and about the object
     * in its own kind, though {@code resource} may be of a class that is a view of many.
     */
    public static void tell(
            Reconciliation<?> reconciliation,
            HasMetadata resource,
            EventRecorder.Type type,
            String reason,
            String action,
            String message) {
        Reconciliation<?> original = original(reconciliation);
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

    @SuppressWarnings("ReferenceEquality") // which client it is
    private boolean sameClient() {
        return config.client() == original.client();
    }

    @Override
    public ObjectKey key() {
        return original.key();
    }

    @Override
    public Optional<T> resource() {
        return original.resource().map(object -> ModelCodec.convert(object, kind.javaType()));
    }

    @Override
    public Client client() {
        return config.client();
    }

    /** Returns the cache of a kind; fails with another client, as caches hold what the controller may read. */
    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> wanted) {
        if (!sameClient()) {
            throw new IllegalStateException("the caches of the controller have what its own client sees of "
                    + wanted.id() + ", and here is another one: read with client(), or outside of WithConfig");
        }
        return original.cache(wanted);
    }

    @Override
    public List<String> causes() {
        return original.causes();
    }

    @Override
    public int failures() {
        return original.failures();
    }

    @Override
    public Duration remaining() {
        return original.remaining();
    }

    @Override
    public Optional<Fence> fence() {
        return original.fence();
    }

    @Override
    public EventRecorder events() {
        return config.events();
    }

    @Override
    public boolean updateStatus(T object) {
        Optional<T> present = resource();
        if (present.isPresent() && SemanticEquality.sameStatus(present.get(), object)) {
            return false;
        }
        T unused = original.client().updateStatus(kind, object, WriteOptions.DEFAULT);
        return true;
    }

    @Override
    public Stash stash() {
        return original.stash();
    }

    @Override
    public Tracker tracker() {
        if (sameClient() && !config.elsewhere()) {
            return original.tracker();
        }
        return tracker(this, tracked -> {
            if (config.elsewhere()) {
                throw new IllegalStateException(tracked + " is in another cluster, which the controller does not"
                        + " watch, so nothing would trigger " + original.key()
                        + ": requeue with Result.after(...) instead");
            }
            original.tracker().track(tracked);
        });
    }

    /** Returns a tracker that calls this, and reads with the client of the reconciliation. */
    public static Tracker tracker(Reconciliation<?> reconciliation, Consumer<Tracker.Target> track) {
        return new Tracker() {
            @Override
            public void track(Tracker.Target tracked) {
                track.accept(tracked);
            }

            @Override
            public Client client() {
                return reconciliation.client();
            }
        };
    }

    @Override
    public Clock clock() {
        return original.clock();
    }

    @Override
    public Instant now() {
        return original.now();
    }

    @Override
    public Logger logger() {
        return original.logger();
    }
}
