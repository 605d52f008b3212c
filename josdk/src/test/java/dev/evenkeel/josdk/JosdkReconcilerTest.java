package dev.evenkeel.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a real operator of JOSDK, which talks to the engine over HTTP. */
@Timeout(300)
class JosdkReconcilerTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);

    private final Engine engine = Engine.create();
    private final Server server =
            Server.builder(engine).authentication(false).tls(false).start();
    private final Config config = new ConfigBuilder(Config.empty())
            .withMasterUrl(server.url().toString())
            .withNamespace("default")
            .build();
    private final KubernetesClient client = KubernetesClient.connect(Fabric8Connection.of(config));
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private Operator operator;

    @BeforeEach
    void prepare() {
        var theirs = new KubernetesClientBuilder().withConfig(config).build();
        operator = new Operator(options -> options.withKubernetesClient(theirs)
                .checkingCRDAndValidateLocalModel(false)
                .withCloseClientOnStop(true));
    }

    @AfterEach
    void close() {
        operator.stop();
        client.close();
        server.close();
        engine.close();
    }

    private void run(Controller<ConfigMap> controller) {
        JosdkReconciler.of(controller, client).register(operator);
        operator.start();
    }

    /** A controller of config maps that answers so, and keeps each call: the number of failures before, and what there is. */
    private Controller<ConfigMap> controller(Function<Reconciliation<ConfigMap>, Result> reconcile) {
        return Controller.of(ConfigMap.class, reconciliation -> {
                    if (!reconciliation.key().equals(KEY)) {
                        return Result.done();
                    }
                    calls.add(reconciliation.failures() + " "
                            + reconciliation
                                    .resource()
                                    .map(map -> map.isMarkedForDeletion() ? "going" : "there")
                                    .orElse("gone"));
                    return reconcile.apply(reconciliation);
                })
                .name("maps");
    }

    private ConfigMap create(String... finalizers) {
        return admin().create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .withFinalizers(finalizers)
                .endMetadata()
                .addToData("size", "3")
                .build());
    }

    private Client admin() {
        return engine.client();
    }

    /** Waits for other threads, in real time. */
    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for: " + what).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private boolean copied(String size) {
        return admin().find(SECRETS, KEY)
                .filter(secret -> secret.getData().get("size").equals(encoded(size)))
                .isPresent();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A part of ours: a secret with what the map says. */
    private static Part<ConfigMap> copy() {
        return Part.of(
                Part.Description.of("Copy").needs(new Part.Requirement.Owns<>(SECRETS)), (reconciliation, map) -> {
                    Secret secret = new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(KEY.namespace())
                            .withName(KEY.name())
                            .endMetadata()
                            .addToData("size", encoded(map.getData().get("size")))
                            .build();
                    OwnerReferences.control(map, secret);
                    Secret unused = reconciliation
                            .client()
                            .apply(
                                    secret,
                                    WriteOptions.DEFAULT.fieldManager("x").force(true));
                    reconciliation.events().record(map, EventRecorder.Type.NORMAL, "Copied", "Copy", "copied");
                    return Result.done();
                });
    }

    @Test
    void partsConvergeAndAreWokenByWhatTheyDeclare() {
        Part<ConfigMap> copy = copy();
        create();
        run(copy.declare(controller(reconciliation -> reconciliation
                .resource()
                .filter(map -> !map.isMarkedForDeletion())
                .<Result>map(map -> copy.reconcile(reconciliation, map))
                .orElse(Result.done()))));

        await("the copy", () -> copied("3"));
        admin().delete(Secret.class, KEY);
        await("the copy after its deletion", () -> copied("3"));
        admin().patch(Kind.of(ConfigMap.class), KEY, Patch.merge("{\"data\":{\"size\":\"4\"}}"), WriteOptions.DEFAULT);
        await("the copy of what was changed", () -> copied("4"));
        await(
                "an event",
                () -> !admin().list(Event.class, ListOptions.in("default"))
                        .items()
                        .isEmpty());
        // labels do not change the generation, which JOSDK looks at
        int before = calls.size();
        admin().patch(
                        Kind.of(ConfigMap.class),
                        KEY,
                        Patch.merge("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"),
                        WriteOptions.DEFAULT);
        await("a call for labels", () -> calls.size() > before);
    }

    @Test
    void deletionsAreSeenToTheirEnd() {
        create("example.com/hold");
        run(controller(reconciliation -> {
            if (calls.getLast().endsWith(" going")) { // not marked since: that has a call of its own
                reconciliation.resource().ifPresent(map -> {
                    Finalizers.remove(map, "example.com/hold");
                    ConfigMap unused = reconciliation.client().update(map);
                });
            }
            return Result.done();
        }));
        await("a call", () -> calls.contains("0 there"));

        admin().delete(ConfigMap.class, KEY);

        // the number of failures is open: a write of a state that JOSDK's cache has already left behind is refused
        await("a call for what is going", () -> calls.stream().anyMatch(call -> call.endsWith(" going")));
        await("a call for what is gone", () -> calls.stream().anyMatch(call -> call.endsWith(" gone")));
        assertThat(admin().find(ConfigMap.class, KEY)).isEmpty();
    }

    @Test
    void appointmentsAreKept() {
        create();
        AtomicInteger times = new AtomicInteger();
        run(controller(
                reconciliation -> times.incrementAndGet() < 4 ? Result.after(Duration.ofMillis(20)) : Result.done()));

        await("four calls", () -> times.get() >= 4);
        assertThat(calls).containsOnly("0 there");
    }

    @Test
    void quietFailuresComeAgainAndAreNoErrors() {
        create();
        AtomicInteger times = new AtomicInteger();
        run(controller(reconciliation ->
                times.incrementAndGet() < 5 ? Result.quiet(new IllegalStateException("soon")) : Result.done()));

        await("five calls", () -> times.get() >= 5);
        assertThat(calls).containsOnly("0 there");
    }

    @Test
    void failuresAreRetriedByJosdkAndCounted() {
        create();
        JosdkReconciler.of(
                        controller(reconciliation -> {
                            if (reconciliation.failures() < 3) {
                                throw new IllegalStateException("no");
                            }
                            return Result.done();
                        }),
                        client)
                .register(operator, options -> options.withRetry(new GenericRetry().setInitialInterval(10)));
        operator.start();

        await("a call after three failures", () -> calls.contains("3 there"));
    }

    @Test
    void aDelayWithAFailureHolds() {
        create();
        AtomicInteger times = new AtomicInteger();
        JosdkReconciler.of(
                        controller(reconciliation -> times.incrementAndGet() < 3
                                ? Result.failed(new IllegalStateException("no")).within(Duration.ofMillis(50))
                                : Result.done()),
                        client)
                .register(
                        operator,
                        options -> options.withRetry(new GenericRetry().setInitialInterval(Duration.ofHours(1))));
        operator.start();

        await("three calls, long before the retry", () -> times.get() >= 3);
    }

    @Test
    void aDurableFailureIsNotRetriedBeforeAChange() {
        create();
        AtomicInteger durable = new AtomicInteger();
        run(controller(reconciliation ->
                reconciliation.resource().orElseThrow().getData().containsKey("right")
                        ? Result.done()
                        : failed(durable)));
        await("a failure", () -> durable.get() > 0);

        admin().patch(
                        Kind.of(ConfigMap.class),
                        KEY,
                        Patch.merge("{\"data\":{\"right\":\"yes\"}}"),
                        WriteOptions.DEFAULT);

        await("a call for the change", () -> calls.size() > durable.get());
        // not as a retry: the count of failures restarts
        assertThat(calls).containsOnly("0 there");
    }

    private static Result failed(AtomicInteger count) {
        count.incrementAndGet();
        return Result.durable(new IllegalStateException("wrong"));
    }

    /** Each secret has a map, which wakes it; tells what is cached of the maps of the namespace. */
    @Test
    void itWorksInTheNamespacesOfTheOperatorAlsoWhenTheyAreChanged() {
        Kind<ConfigMap> maps = Kind.of(ConfigMap.class);
        Kind<Namespace> spaces = Kind.of(Namespace.class);
        for (String name : List.of("one", "two", "three")) {
            admin().create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .build());
            admin().create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(name)
                    .withName("a")
                    .endMetadata()
                    .build());
        }
        List<String> seen = new CopyOnWriteArrayList<>();
        Controller<Secret> controller = Controller.of(SECRETS, reconciliation -> {
                    String namespace = reconciliation.key().namespace();
                    seen.add(namespace + " "
                            + reconciliation.cache(maps).list(namespace).size());
                    assertThat(reconciliation.cache(spaces).list()).hasSizeGreaterThan(3);
                    try {
                        seen.add(
                                "three is cached: " + reconciliation.cache(maps).list("three"));
                    } catch (IllegalArgumentException e) {
                        seen.add(e.getMessage());
                    }
                    return Result.done();
                })
                .name("secrets")
                .watches(maps, Mapper.sameName())
                .reads(spaces);
        var registered =
                JosdkReconciler.of(controller, client).register(operator, options -> options.settingNamespaces("one"));
        operator.start();
        await("a call in the first namespace", () -> seen.contains("one 0"));
        assertThat(seen).allMatch(call -> call.equals("one 0") || call.contains("\"three\" is none of [one]"));

        registered.changeNamespaces("one", "two");
        await("a call in the second namespace", () -> seen.contains("two 0"));
        await("the new namespaces", () -> seen.stream().anyMatch(call -> call.contains("is none of [one, two]")));
        admin().create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("two")
                .withName("a")
                .endMetadata()
                .build());
        await("a call for the map", () -> seen.contains("two 1"));
        assertThat(seen).noneMatch(call -> call.startsWith("three"));
    }

    @Test
    void trackedObjectsWake() {
        create();
        ObjectKey tracked = ObjectKey.of("default", "tracked");
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        run(controller(reconciliation -> {
                    seen.add(
                            reconciliation.tracker().find(Secret.class, tracked).isPresent());
                    return Result.done();
                })
                .tracks(Secret.class));
        await("a call", () -> seen.contains(false));

        admin().create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("tracked")
                .endMetadata()
                .withData(Map.of())
                .build());

        await("a call for the secret", () -> seen.contains(true));
    }
}
