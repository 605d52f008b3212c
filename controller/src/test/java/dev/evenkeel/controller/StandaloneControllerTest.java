package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StandaloneControllerTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "a");

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();
    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        engine.close();
    }

    private <T extends io.fabric8.kubernetes.api.model.HasMetadata> StandaloneController<T> rehearsal(
            Controller<T> controller) {
        return new StandaloneController<>(
                controller,
                client,
                client,
                scheduler,
                (object, type, reason, action, message) -> events.add(type + " " + reason + " " + message));
    }

    private ConfigMap create() {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build());
    }

    @Test
    @DisplayName("A reconciler has the context it has in a manager: object, caches, own writes in them, events")
    void likeInAManager() {
        create();
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, reconciliation -> {
                    ConfigMap map = reconciliation.resource().orElseThrow();
                    Secret secret = new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("s")
                            .endMetadata()
                            .build();
                    OwnerReferences.control(map, secret);
                    reconciliation.client().create(secret);
                    Cache.Entry<Secret> own = reconciliation
                            .cache(Secret.class)
                            .get(ObjectKey.of("default", "s"))
                            .orElseThrow();
                    reconciliation
                            .events()
                            .record(
                                    map,
                                    dev.evenkeel.controller.EventRecorder.Type.NORMAL,
                                    "Made",
                                    "",
                                    "made " + own.key());
                    return Result.after(Duration.ofMinutes(1));
                })
                .owns(Secret.class);
        try (StandaloneController<ConfigMap> rehearsal = rehearsal(controller)) {
            assertThat(rehearsal.reconcile(KEY)).isEqualTo(Result.after(Duration.ofMinutes(1)));
        }
        assertThat(events).containsExactly("Normal Made made default/s");
        assertThat(client.find(Secret.class, ObjectKey.of("default", "s"))).isPresent();
    }

    @Test
    @DisplayName("The time of a reconciliation does not change while it runs; the clock does")
    void nowIsStable() {
        create();
        List<Instant> times = new ArrayList<>();
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, reconciliation -> {
            times.add(reconciliation.now());
            scheduler.advance(Duration.ofSeconds(3));
            times.add(reconciliation.now());
            times.add(reconciliation.clock().instant());
            return Result.done();
        });
        try (StandaloneController<ConfigMap> rehearsal = rehearsal(controller)) {
            rehearsal.reconcile(KEY);
            rehearsal.reconcile(KEY);
        }
        Instant first = times.getFirst();
        assertThat(times)
                .containsExactly(
                        first,
                        first,
                        first.plusSeconds(3),
                        first.plusSeconds(3),
                        first.plusSeconds(3),
                        first.plusSeconds(6));
    }

    @Test
    @DisplayName("Tracked objects are read from the cache of whole objects, and else from the API")
    void trackedReads() {
        create();
        Kind<Secret> secrets = Kind.of(Secret.class);
        List<String> seen = new ArrayList<>();
        Reconciler<ConfigMap> reads = reconciliation -> {
            Tracker tracker = reconciliation.tracker();
            seen.add(tracker.find(secrets, ObjectKey.of("default", "s")).isPresent() + " "
                    + tracker.list(secrets, ListOptions.in("default")).items().size() + " "
                    + tracker.list(secrets, ListOptions.in("default").limit(5))
                            .items()
                            .size());
            return Result.done();
        };
        Controller<ConfigMap> whole = Controller.of(ConfigMap.class, reads).tracks(secrets);
        Controller<ConfigMap> metadata = Controller.of(ConfigMap.class, reads).tracks(secrets.metadataOnly());
        try (StandaloneController<ConfigMap> cached = rehearsal(whole);
                StandaloneController<ConfigMap> uncached = rehearsal(metadata)) {
            client.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("s")
                    .endMetadata()
                    .build());
            cached.reconcile(KEY);
            uncached.reconcile(KEY);
            scheduler.settle();
            cached.reconcile(KEY);
        }
        assertThat(seen).containsExactly("false 0 1", "true 1 1", "true 1 1");
    }

    @Test
    @DisplayName("Undeclared kinds are refused as in a manager; exceptions are thrown")
    void refusals() {
        create();
        try (StandaloneController<ConfigMap> undeclared = rehearsal(Controller.of(ConfigMap.class, reconciliation -> {
            reconciliation.cache(Secret.class);
            return Result.done();
        }))) {
            assertThatThrownBy(() -> undeclared.reconcile(KEY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("declare it");
        }
    }

    @Test
    @DisplayName("The initializer runs only when requested; its exceptions are thrown")
    void initializer() {
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, reconciliation -> Result.done());
        try (StandaloneController<ConfigMap> rehearsal =
                rehearsal(controller.initializer(initializing -> events.add("initialized")))) {
            assertThat(events).isEmpty();
            rehearsal.initialize();
        }
        assertThat(events).containsExactly("initialized");
        try (StandaloneController<ConfigMap> rehearsal = rehearsal(controller.initializer(initializing -> {
            throw new java.io.IOException("not there");
        }))) {
            assertThatThrownBy(rehearsal::initialize)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the initializer failed")
                    .hasRootCauseMessage("not there");
        }
    }

    @Test
    @DisplayName("Caches are as of the last time the scheduler settled, and have own writes at once")
    void settling() {
        try (StandaloneController<ConfigMap> rehearsal =
                rehearsal(Controller.of(ConfigMap.class, reconciliation -> Result.done()))) {
            Reconciliation<ConfigMap> reconciliation = rehearsal.reconciliation(KEY, new Stash(), tracked -> {});
            create();
            assertThat(reconciliation.resource()).isEmpty();
            scheduler.settle();
            assertThat(reconciliation.resource()).isPresent();
            reconciliation.client().delete(ConfigMap.class, KEY);
            assertThat(reconciliation.cache(Kind.of(ConfigMap.class)).get(KEY)).isEmpty();
        }
    }

    @Test
    @DisplayName("Tracked objects are reported before they are tracked")
    void tracks() {
        List<Tracker.Target> seen = new ArrayList<>();
        Controller<ConfigMap> controller =
                Controller.of(ConfigMap.class, reconciliation -> Result.done()).tracks(Kind.of(Secret.class));
        try (StandaloneController<ConfigMap> rehearsal = rehearsal(controller)) {
            Reconciliation<ConfigMap> reconciliation = rehearsal.reconciliation(KEY, new Stash(), seen::add);
            assertThat(reconciliation.tracker().find(Secret.class, KEY)).isEmpty();
        }
        assertThat(seen).containsExactly(Tracker.Target.of(Kind.of(Secret.class), KEY));
    }

    @Test
    @DisplayName(
            "A host receives the keys that a manager would queue: existing, owned and tracked objects, sources, until it closes")
    void wakes() {
        ConfigMap map = create();
        List<String> told = new ArrayList<>();
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, reconciliation -> {
                    var unused = reconciliation.tracker().find(Secret.class, ObjectKey.of("default", "tracked"));
                    return Result.retry().within(Duration.ofMinutes(reconciliation.failures() + 1));
                })
                .owns(ConfigMap.class)
                .tracks(Secret.class)
                .source(Source.polling("tick", Duration.ofHours(1), () -> List.of(KEY)));
        try (StandaloneController<ConfigMap> rehearsal = rehearsal(controller)) {
            rehearsal.enqueueTo((key, cause) -> told.add(key + " " + cause));
            scheduler.settle();
            assertThat(told).containsExactly("default/a ConfigMap present");
            assertThat(rehearsal.reconcile(KEY, List.of("so"), 2).delay()).contains(Duration.ofMinutes(3));

            ConfigMap owned = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("owned")
                    .endMetadata()
                    .build();
            OwnerReferences.control(map, owned);
            client.create(owned);
            scheduler.settle();
            Secret secret = new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("tracked")
                    .endMetadata()
                    .build();
            client.create(secret);
            scheduler.settle();
            scheduler.advance(Duration.ofHours(1));
            assertThat(told)
                    .contains(
                            "default/a ConfigMap default/owned added",
                            "default/a tracked Secret default/tracked added",
                            "default/a tick seen");
        }
        told.clear();
        client.delete(ConfigMap.class, KEY);
        scheduler.advance(Duration.ofHours(10));
        assertThat(told).isEmpty();
    }
}
