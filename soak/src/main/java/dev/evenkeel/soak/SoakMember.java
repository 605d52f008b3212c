package dev.evenkeel.soak;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * One of the managers of a soak, behind a network of its own. Two controllers: {@code mirror}, sharded, copies a value
 * of an object into its annotations; {@code copy}, with leader election, maintains a Secret with the same value for
 * some objects.
 */
final class SoakMember implements AutoCloseable {
    /** The label of the objects of a controller. */
    static final String ROLE = "soak.evenkeel.dev/role";

    static final String MIRROR = "mirror";
    static final String COPY = "copy";

    /** The annotation with the mirrored value. */
    static final String MIRRORED = "soak.evenkeel.dev/mirrored";

    /** The key of the value that is mirrored and copied. */
    static final String VALUE = "value";

    static final String NAMESPACE = "default";
    static final Leases.Timing TIMING =
            new Leases.Timing(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500));

    final String name;
    final Network network;
    final Manager manager;
    private final SoakTally tally;
    private final KubernetesClient client;

    SoakMember(String name, Network network, Connection connection, InformerOptions.Mode mode, SoakTally tally) {
        this.name = name;
        this.tally = tally;
        this.network = network;
        client = KubernetesClient.builder(connection)
                .fieldManager(name)
                .requestTimeout(Duration.ofSeconds(10))
                .build();
        manager = Manager.builder(client)
                .leases(Leases.in(NAMESPACE, name).timing(TIMING))
                .informerOptions(InformerOptions.DEFAULT
                        .mode(mode)
                        .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(2))
                                .jitter(1)))
                .listener(this::happened)
                .grace(Duration.ofSeconds(10))
                .build();
        manager.add(Controller.of(ConfigMap.class, watched(MIRROR, this::mirror))
                .name(MIRROR)
                .placement(Placement.sharded())
                .workers(8));
        manager.add(Controller.of(ConfigMap.class, watched(COPY, this::copy))
                .name(COPY)
                .placement(Placement.leader())
                .owns(Secret.class)
                .workers(8));
        manager.start();
    }

    private void happened(ControllerEvent event) {
        if (event instanceof ControllerEvent.Active) {
            tally.activations.increment();
        } else if (event instanceof ControllerEvent.Reconciled reconciled) {
            switch (reconciled.outcome()) {
                case LEASE_LOST -> tally.placesLost.increment();
                case PANIC, TIMEOUT, TERMINAL ->
                    tally.wrong(reconciled.controller() + " " + reconciled.key() + " ended with "
                            + reconciled.outcome() + ": "
                            + reconciled.failure().map(Throwable::toString).orElse(""));
                default -> {}
            }
        }
    }

    /** Records which members reconcile which keys. */
    private Reconciler<ConfigMap> watched(String controller, Reconciler<ConfigMap> reconciler) {
        return reconciliation -> {
            ObjectKey key = reconciliation.key();
            tally.enter(controller, key, name);
            try {
                return reconciler.reconcile(reconciliation);
            } finally {
                tally.leave(controller, key, name);
            }
        };
    }

    private static Optional<ConfigMap> wanted(Reconciliation<ConfigMap> reconciliation, String role) {
        return reconciliation.resource().filter(map -> isFor(role, map));
    }

    static boolean isFor(String role, ConfigMap map) {
        Map<String, String> labels = map.getMetadata().getLabels();
        return labels != null && role.equals(labels.get(ROLE));
    }

    static String value(ConfigMap map) {
        return map.getData().getOrDefault(VALUE, "");
    }

    /** Returns the mirrored or copied value of an object; empty without one. */
    static String mirrored(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(MIRRORED, "");
    }

    private Result mirror(Reconciliation<ConfigMap> reconciliation) {
        wanted(reconciliation, MIRROR).ifPresent(map -> {
            String value = value(map);
            if (!value.equals(mirrored(map))) {
                Patch patch = Patch.merge("{\"metadata\":{\"annotations\":{\"" + MIRRORED + "\":\"" + value + "\"}}}");
                try {
                    ConfigMap written = reconciliation
                            .client()
                            .patch(Kind.of(ConfigMap.class), ObjectKey.of(map), patch, WriteOptions.DEFAULT);
                    check(reconciliation, reconciliation.cache(ConfigMap.class), written);
                } catch (NotFoundException e) {
                    // deleted meanwhile
                }
            }
        });
        return Result.done();
    }

    private Result copy(Reconciliation<ConfigMap> reconciliation) {
        wanted(reconciliation, COPY).ifPresent(map -> {
            String value = value(map);
            Cache<Secret> secrets = reconciliation.cache(Secret.class);
            Optional<Secret> present = secrets.find(ObjectKey.of(map));
            if (present.isPresent() && value.equals(mirrored(present.get()))) {
                return;
            }
            Secret secret = new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(map.getMetadata().getNamespace())
                    .withName(map.getMetadata().getName())
                    .addToAnnotations(MIRRORED, value)
                    .endMetadata()
                    .build();
            OwnerReferences.control(map, secret);
            Secret written = reconciliation
                    .client()
                    .apply(secret, WriteOptions.DEFAULT.fieldManager(COPY).force(true));
            check(reconciliation, secrets, written);
        });
        return Result.done();
    }

    /**
     * Checks a read after a write. Objects written here may be deleted by writers: then one may be missing in the cache
     * if it is missing on the server too.
     */
    private <T extends HasMetadata> void check(Reconciliation<?> reconciliation, Cache<T> cache, T written) {
        tally.checks.increment();
        ObjectKey key = ObjectKey.of(written);
        if (!SoakTally.isSeen(cache, written)
                && (cache.get(key).isPresent()
                        || reconciliation.client().find(written.getClass(), key).isPresent())) {
            tally.stale(cache, written);
        }
    }

    /** Returns the problems of an informer's decoding; empty when there are none. */
    Optional<String> problems(Kind<?> kind) {
        long problems = manager.informer(kind).problems();
        return problems == 0
                ? Optional.empty()
                : Optional.of(name + ": " + problems + " problems with objects of " + kind.id());
    }

    @Override
    public void close() {
        manager.close();
        client.close();
        network.close();
    }
}
