package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.cache.Projection;
import dev.evenkeel.controller.internal.lease.Intercepted;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Managers of the namespaces a and b, behind a server that refuses every list and watch of namespaced kinds anywhere
 * else, on
 * the real engine and in virtual time.
 */
@Timeout(300)
class NamespacesOfManagersTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Kind<Namespace> SPACES = Kind.of(Namespace.class);

    private final Engine engine = Engine.create();
    private final Client admin = engine.client();
    private final BatonScheduler time = new BatonScheduler(1);
    private final Set<String> followed = new TreeSet<>();
    private final List<String> calls = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Manager manager = Manager.builder(Intercepted.client(admin, (verb, arguments) -> {
                if ((verb.equals("list") || verb.equals("watch"))
                        && arguments[0] instanceof Kind<?> kind
                        && arguments[1] instanceof ListOptions options) {
                    if (kind.namespaced() && !Set.of("a", "b").contains(options.namespace())) {
                        throw ApiException.of(Status.of(403, "Forbidden", "not in \"" + options.namespace() + "\""));
                    }
                    followed.add(verb + " " + kind.id() + " " + options.namespace());
                }
            }))
            .scheduler(time)
            .namespaces("b", "a")
            .listener(event -> {
                if (event instanceof ControllerEvent.Reconciled reconciled) {
                    reconciled.failure().ifPresent(failures::add);
                }
            })
            .build();

    @BeforeEach
    void namespaces() {
        for (String name : List.of("a", "b", "c")) {
            Namespace unused = admin.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .build());
        }
    }

    @AfterEach
    void stop() {
        Scheduler.Job job = time.execute("test", manager::close);
        for (int i = 0; i < 600 && !job.ended().isDone(); i++) {
            time.advance(Duration.ofMillis(100));
        }
        assertThat(job.ended()).isDone();
        engine.close();
    }

    private static ConfigMap map(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    private static Secret secret(String namespace, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .build();
    }

    private Controller<ConfigMap> controller(Consumer<Reconciliation<ConfigMap>> reconciler) {
        return Controller.of(MAPS, reconciliation -> {
                    calls.add(reconciliation.key().toString());
                    reconciler.accept(reconciliation);
                    return Result.done();
                })
                .name("maps")
                .resyncInterval(Duration.ZERO);
    }

    private List<String> calls() {
        time.advance(Duration.ofMillis(50));
        List<String> seen = calls.stream().sorted().distinct().toList();
        calls.clear();
        return seen;
    }

    @Test
    void declaredKindsAreListedAndWatchedThereAndClusterScopedOnesWhole() {
        manager.add(controller(reconciliation -> {})
                        .owns(SECRETS)
                        .tracks(Kind.of(io.fabric8.kubernetes.api.model.Service.class))
                        .reads(SPACES))
                .start();
        time.advance(Duration.ofSeconds(1));

        assertThat(followed)
                .containsExactly(
                        "list configmaps a",
                        "list configmaps b",
                        "list namespaces ",
                        "list secrets a",
                        "list secrets b",
                        "list services a",
                        "list services b",
                        "watch configmaps a",
                        "watch configmaps b",
                        "watch namespaces ",
                        "watch secrets a",
                        "watch secrets b",
                        "watch services a",
                        "watch services b");
        assertThat(manager.health().ready()).as(manager.health().toString()).isTrue();
    }

    @Test
    void objectsOfTheseNamespacesAreReconciledAndOfNoOther() {
        for (String namespace : List.of("a", "b", "c")) {
            ConfigMap unused = admin.create(map(namespace, "m"));
        }
        manager.add(controller(reconciliation -> reconciliation
                                .resource()
                                .filter(map -> reconciliation
                                        .cache(SECRETS)
                                        .by(
                                                Index.controller(),
                                                map.getMetadata().getUid())
                                        .isEmpty())
                                .ifPresent(map -> {
                                    Secret owned = secret(map.getMetadata().getNamespace(), "s");
                                    OwnerReferences.control(map, owned);
                                    Secret unused = reconciliation.client().create(owned);
                                }))
                        .reads(SECRETS, ListOptions.ALL, Projection.of("data"), List.of(Index.controller()))
                        .owns(SECRETS))
                .start();
        assertThat(calls()).containsExactly("a/m", "b/m");
        assertThat(admin.list(SECRETS, ListOptions.ALL).items())
                .extracting(ObjectKey::of)
                .containsExactlyInAnyOrder(ObjectKey.of("a", "s"), ObjectKey.of("b", "s"));

        var unused = admin.delete(Secret.class, ObjectKey.of("b", "s"));
        assertThat(calls()).containsExactly("b/m");
        assertThat(admin.find(SECRETS, ObjectKey.of("b", "s"))).isPresent();
        assertThat(failures).isEmpty();
    }

    @Test
    void keysOfOtherNamespacesAreIgnored() {
        ConfigMap unused = admin.create(map("a", "m"));
        AtomicReference<Source.Sink> sink = new AtomicReference<>();
        Source source = new Source() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public AutoCloseable start(Sink keys, Scheduler scheduler) {
                sink.set(keys);
                return () -> {};
            }
        };
        manager.add(controller(reconciliation -> {})
                        .source(source)
                        .watches(
                                SPACES,
                                Mapper.of(
                                        "all",
                                        space -> Stream.of(
                                                ObjectKey.of("a", "m"),
                                                ObjectKey.of("c", "m"),
                                                ObjectKey.cluster("m")))))
                .start();
        assertThat(calls()).containsExactly("a/m");

        sink.get().add(ObjectKey.of("c", "m"), "told to");
        assertThat(calls()).isEmpty();
        sink.get().add(ObjectKey.of("b", "m"), "told to");
        assertThat(calls()).containsExactly("b/m");
        assertThatThrownBy(() -> manager.explain("maps", ObjectKey.of("c", "m")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespace \"c\" is none of [a, b]");
        assertThat(failures).isEmpty();
    }

    @Test
    void cachesDoNotAnswerForOtherNamespacesAndTheClientDoes() {
        Secret unused = admin.create(secret("c", "s"));
        ConfigMap unused2 = admin.create(map("a", "m"));
        List<String> read = new ArrayList<>();
        manager.add(controller(reconciliation -> {
                            read.add(
                                    reconciliation
                                                    .client()
                                                    .find(SECRETS, ObjectKey.of("c", "s"))
                                                    .isPresent()
                                            ? "by client"
                                            : "not by client");
                            Object unused3 = reconciliation.cache(SECRETS).find(ObjectKey.of("c", "s"));
                        })
                        .reads(SECRETS))
                .start();
        assertThat(calls()).containsExactly("a/m");
        assertThat(read).contains("by client").doesNotContain("not by client");
        assertThat(failures)
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "cache: namespace \"c\" is none of [a, b]: add it to namespaces(...) of the manager, or read"
                                        + " from the API, with client()"));
    }

    @Test
    void ownWritesInOtherNamespacesAreTheServersAlone() {
        manager.add(controller(reconciliation -> {}).reads(SECRETS)).start();
        time.advance(Duration.ofSeconds(1));
        Scheduler.Job job = time.execute("test", () -> {
            for (String namespace : List.of("a", "c")) {
                Secret made = manager.client().create(secret(namespace, "s"));
                made.getMetadata().getLabels().put("app", "other");
                Secret unused = manager.client().update(made);
                var unused2 = manager.client().delete(Secret.class, ObjectKey.of(made));
                Secret unused3 = manager.client().create(secret(namespace, "s"));
                assertThat(manager.client().deleteAll(SECRETS, ListOptions.in(namespace), DeleteOptions.DEFAULT))
                        .hasSize(1);
                Secret unused4 = manager.client().create(secret(namespace, "t"));
            }
            assertThat(manager.informer(SECRETS).cache().list())
                    .extracting(object -> object.key().toString())
                    .containsExactly("a/t");
        });
        time.advance(Duration.ofSeconds(5));
        assertThat(job.ended()).isDone();
        assertThat(job.ended()).isNotCompletedExceptionally();
        assertThat(manager.informer(SECRETS).cache().list())
                .extracting(object -> object.key().toString())
                .containsExactly("a/t");
    }

    @Test
    void onlyTheseNamespacesCanBeTracked() {
        ConfigMap unused = admin.create(map("a", "m"));
        List<String> refused = new ArrayList<>();
        manager.add(controller(reconciliation -> {
                            Tracker tracker = reconciliation.tracker();
                            Object unused2 = tracker.find(SECRETS, ObjectKey.of("b", "s"));
                            tracker.track(Tracker.Target.selecting(SECRETS, "", LabelSelector.parse("app=everywhere")));
                            try {
                                Object unused3 = tracker.find(SECRETS, ObjectKey.of("c", "s"));
                            } catch (IllegalArgumentException e) {
                                refused.add(e.getMessage());
                            }
                        })
                        .tracks(SECRETS))
                .start();
        assertThat(calls()).containsExactly("a/m");
        assertThat(refused)
                .contains("controller maps: track Secret c/s: namespace \"c\" is none of [a, b]: add it to"
                        + " namespaces(...) of the manager, or read it without tracking: its changes would not trigger"
                        + " a/m");

        Secret unused2 = admin.create(secret("c", "s"));
        Secret unused3 = admin.create(secret("c", "everywhere"));
        assertThat(calls()).isEmpty();
        Secret unused4 = admin.create(secret("b", "s"));
        assertThat(calls()).containsExactly("a/m");
        Secret unused5 = admin.create(secret("b", "everywhere"));
        assertThat(calls()).containsExactly("a/m");
        assertThat(failures).isEmpty();
    }

    @Test
    void selectionsOfOtherNamespacesAreRefusedAtOnce() {
        Controller<ConfigMap> plain = controller(reconciliation -> {});
        Mapper<ConfigMap, Secret> nobody = Mapper.of("nobody", secret -> Stream.empty());

        assertRefused(
                plain.selection(ListOptions.in("c")),
                "controller maps: selecting configmaps: namespace \"c\" is none of [a, b]: add it to namespaces(...) of"
                        + " the manager, or select in one of these");
        assertRefused(
                plain.watches(SECRETS, ListOptions.in("c"), nobody, Trigger.any()),
                "controller maps: watches secrets: namespace \"c\" is none of [a, b]: ");
        assertRefused(
                plain.reads(SECRETS, ListOptions.in("c"), Projection.everything(), List.of()),
                "controller maps: reads secrets: namespace \"c\" is none of [a, b]: ");
        assertRefused(
                plain.always(ObjectKey.of("c", "m")),
                "controller maps: always c/m: namespace \"c\" is none of [a, b]: add it to namespaces(...) of the"
                        + " manager, or leave it out");
        manager.add(plain.selection(ListOptions.in("a")).always(ObjectKey.of("b", "m")));
        manager.add(Controller.of(SPACES, reconciliation -> Result.done()).always(ObjectKey.cluster("c")));
    }

    private void assertRefused(Controller<?> controller, String message) {
        assertThatThrownBy(() -> manager.add(controller))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
        assertThat(manager.dependencies().edges()).isEmpty();
    }

    @Test
    void rehearsalsWorkInNamespacesToo() {
        ConfigMap unused = admin.create(map("a", "m"));
        ConfigMap unused2 = admin.create(map("c", "m"));
        List<ObjectKey> woken = new ArrayList<>();
        var stepped = new dev.evenkeel.simulation.VirtualScheduler(1);
        Controller<ConfigMap> controller = controller(reconciliation -> {
            if (reconciliation.resource().isEmpty()) {
                calls.add("nothing");
            }
        });
        Informers.Namespaces namespaces = Informers.Namespaces.of("a");
        assertThatThrownBy(() -> new StandaloneController<>(
                        controller.selection(ListOptions.in("c")),
                        admin,
                        admin,
                        namespaces,
                        stepped,
                        (object, type, reason, action, message) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("selecting configmaps: namespace \"c\" is none of [a]");
        try (StandaloneController<ConfigMap> rehearsal = new StandaloneController<>(
                controller, admin, admin, namespaces, stepped, (object, type, reason, action, message) -> {})) {
            rehearsal.enqueueTo((key, reason) -> woken.add(key));
            stepped.settle();
            assertThat(woken).containsExactly(ObjectKey.of("a", "m"));
            assertThat(rehearsal.reconcile(ObjectKey.of("a", "m"))).isEqualTo(dev.evenkeel.controller.Result.done());
            assertThat(calls).containsExactly("a/m");
            assertThatThrownBy(() -> rehearsal.reconcile(ObjectKey.of("c", "m")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("namespace \"c\" is none of [a]");
        }
    }
}
