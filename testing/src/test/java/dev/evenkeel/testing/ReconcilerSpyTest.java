package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.RateLimiter;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

/** The wiring of controllers as a spy sees it: in virtual time and, where threads matter, in real time. */
@Timeout(300)
class ReconcilerSpyTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(30); // real, and never waited for when all is well
    private static final Given<ConfigMap> A = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: a, labels: {app: shop}}
            data: {k: v}
            """);
    private static final ObjectKey KEY = A.key();
    private static final Given<Secret> SECRET = Given.yaml(Secret.class, "{metadata: {namespace: default, name: s}}");

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();
    private final ReactiveClient reactive = ReactiveClient.of(client);
    private final VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final ReconcilerSpy<ConfigMap> spy = ReconcilerSpy.in(ReconcilerSpy.Time.moved(scheduler::advance));
    private final Manager manager =
            Manager.builder(reactive).scheduler(scheduler).build();
    private final List<AutoCloseable> others = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        manager.close();
        for (AutoCloseable other : others) {
            other.close();
        }
        engine.close();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private static Controller<ConfigMap> controller() {
        return Controller.of(ConfigMap.class, reconciliation -> Result.done()).resyncInterval(Duration.ZERO);
    }

    private void start(Controller<ConfigMap> controller) {
        manager.add(controller.around(spy::around)).start();
        scheduler.settle();
    }

    /** A manager in real time. */
    private ReconcilerSpy<ConfigMap> startInRealTime(Controller<ConfigMap> controller) {
        ReconcilerSpy<ConfigMap> real = ReconcilerSpy.create();
        Engine threads = Engine.create();
        Manager running = Manager.of(threads.client()).add(controller.around(real::around));
        others.add(running);
        others.add(threads);
        for (String name : List.of("a", "b", "c")) {
            var unused = threads.client().create(A.name(name).object());
        }
        running.start();
        return real;
    }

    // wiring

    @Test
    @DisplayName("Existing, created, changed and deleted objects trigger their controller, once each")
    void wakes() {
        var unused = client.create(A.object());
        start(controller());
        assertThat(spy.await(KEY, SECOND).causes()).containsExactly("start configmaps");
        var unused2 = client.create(A.name("b").object());
        assertThat(spy.await(key("b"), SECOND).resource()).isPresent();
        var unused3 = client.update(A.at("data.k", "w").object());
        ReconcilerSpy.Seen<ConfigMap> updated = spy.await(KEY, SECOND);
        assertThat(updated.resource().orElseThrow().getData()).containsEntry("k", "w");
        assertThat(updated.result()).contains(Result.done());
        var unused4 = client.delete(A.object());
        assertThat(spy.await(KEY, SECOND).resource()).isEmpty();
        spy.assertNone(SECOND);
        assertThat(spy.seen()).hasSize(4);
        assertThat(spy.seen(KEY))
                .hasSize(3)
                .extracting(ReconcilerSpy.Seen::number)
                .containsExactly(1, 3, 4);
    }

    @Test
    @DisplayName("Objects outside the selection trigger nothing; one that leaves it does, as deleted")
    void selects() {
        start(controller().selection(ListOptions.ALL.labels(LabelSelector.parse("app=shop"))));
        var unused = client.create(A.name("other").label("app", "mall").object());
        spy.assertNone(SECOND);
        var unused2 = client.create(A.object());
        assertThat(spy.await(KEY, SECOND).resource()).isPresent();
        var unused3 = client.update(A.label("app", "mall").object());
        assertThat(spy.await(KEY, SECOND).resource()).isEmpty();
        var unused4 = client.update(A.label("app", "mall").at("data.k", "w").object());
        spy.assertNone(SECOND);
    }

    @Test
    @DisplayName(
            "An owned child triggers its owner when it is created, changed and deleted; an unowned child triggers nothing")
    void owns() {
        ConfigMap owner = client.create(A.object());
        start(controller().owns(Secret.class));
        var unused = spy.await(KEY, SECOND);
        Secret child = client.create(SECRET.ownedBy(owner).object());
        assertThat(spy.await(KEY, SECOND).causes()).containsExactly("Secret default/s added");
        child.setType("Opaque");
        child.getMetadata().setLabels(java.util.Map.of("x", "y"));
        var unused2 = client.update(child);
        var unused3 = spy.await(KEY, SECOND);
        var unused4 = client.delete(child);
        var unused5 = spy.await(KEY, SECOND);
        var unused6 = client.create(SECRET.name("nobodys").object());
        var unused7 = client.create(Given.yaml(
                        Pod.class,
                        "{metadata: {namespace: default, name: p}, spec: {containers: [{name: c, image: i}]}}")
                .ownedBy(owner)
                .object());
        spy.assertNone(SECOND);
    }

    @Test
    @DisplayName("A watched object wakes those that the mapper says")
    void maps() {
        start(controller().watches(Secret.class, Mapper.label("for")));
        var unused = client.create(SECRET.label("for", "a").object());
        assertThat(spy.await(KEY, SECOND).resource()).isEmpty();
        var unused2 = client.create(SECRET.name("t").object());
        spy.assertNone(SECOND);
    }

    @Test
    @DisplayName("The watched kinds show in the controller's dependencies, and in the calls of its manager")
    void watches() {
        LabelSelector shop = LabelSelector.parse("app=shop");
        LabelSelector tls = LabelSelector.parse("tls=yes");
        start(controller()
                .name("shops")
                .selection(ListOptions.in("default").labels(shop))
                .watches(
                        Kind.of(Secret.class),
                        ListOptions.ALL.labels(tls),
                        Mapper.sameName(),
                        dev.evenkeel.controller.Trigger.any()));
        assertThat(manager.dependencies().edges())
                .containsExactly(
                        new Controller.Dependencies.Edge(
                                "shops", Controller.Dependencies.Relation.PRIMARY, "configmaps", ""),
                        new Controller.Dependencies.Edge(
                                "shops", Controller.Dependencies.Relation.WATCHES, "secrets", "same name"));
        List<RecordedCall> calls = reactive.journal().calls(on(RecordedCall.Verb.WATCH));
        assertThat(calls).hasSize(2);
        RecordedCall primary = reactive.journal()
                .calls(on(RecordedCall.Verb.WATCH).kind(ConfigMap.class))
                .getFirst();
        assertThat(primary.selection().namespace()).isEqualTo("default");
        assertThat(primary.selection().labels()).isEqualTo(shop);
        RecordedCall watched = reactive.journal()
                .calls(on(RecordedCall.Verb.WATCH).kind(Secret.class))
                .getFirst();
        assertThat(watched.selection().namespace()).isEmpty();
        assertThat(watched.selection().labels()).isEqualTo(tls);
    }

    // acting up

    @Test
    @DisplayName("A scripted error is tried again, with growing delays, and then passes")
    void failsAndIsRetried() {
        var unused = client.create(A.object());
        spy.fails(new IllegalStateException("one"), new IllegalStateException("two"));
        start(controller().retry(RateLimiter.exponential(SECOND, Duration.ofMinutes(1))));
        assertThat(spy.await(KEY, Duration.ofMillis(10)).error())
                .hasValueSatisfying(e -> assertThat(e).hasMessage("one"));
        spy.assertNone(KEY, Duration.ofMillis(800));
        assertThat(spy.await(KEY, SECOND)).satisfies(second -> {
            assertThat(second.failures()).isEqualTo(1);
            assertThat(second.causes()).anyMatch(cause -> cause.startsWith("retry"));
            assertThat(second.error().orElseThrow()).hasMessage("two");
        });
        spy.assertNone(KEY, Duration.ofMillis(1500));
        assertThat(spy.await(KEY, SECOND.multipliedBy(2)).result()).contains(Result.done());
        spy.assertNone(Duration.ofHours(11));
    }

    @Test
    @DisplayName("The nth reconciliation ends as scripted, without the reconciler, and the others pass")
    void answers() {
        List<String> passed = new ArrayList<>();
        spy.passes(1).answers(Result.after(Duration.ofMinutes(5)), Result.retry());
        var unused = client.create(A.object());
        start(Controller.of(ConfigMap.class, reconciliation -> {
            passed.add(reconciliation.key().name());
            return Result.after(Duration.ofMinutes(1));
        }));
        var unused2 = spy.await(KEY, SECOND);
        assertThat(spy.await(KEY, Duration.ofSeconds(61)).result()).contains(Result.after(Duration.ofMinutes(5)));
        spy.assertNone(Duration.ofMinutes(4));
        assertThat(spy.await(KEY, Duration.ofSeconds(61)).result()).contains(Result.retry());
        assertThat(spy.await(KEY, SECOND).result()).contains(Result.after(Duration.ofMinutes(1)));
        assertThat(passed).hasSize(2);
    }

    // looking on

    @Test
    @DisplayName("Missing and unexpected reconciliations are reported with the observed ones")
    void messages() {
        var unused = client.create(A.object());
        start(controller());
        ObjectKey other = key("other");
        assertThatThrownBy(() -> spy.await(other, SECOND))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll(
                        "no reconciliation of default/other ended within PT1S",
                        "these ended:",
                        "1: default/a, by [start configmaps]");
        spy.assertNone(other, SECOND);
        assertThatThrownBy(() -> spy.assertNone(KEY, SECOND))
                .hasMessageContaining("no reconciliation of default/a was expected, but there is 1: default/a");
        var unused2 = client.update(A.at("data.k", "w").object());
        assertThatThrownBy(() -> spy.assertNone(SECOND)).hasMessageContaining("no reconciliation was expected");
        var unused3 = client.update(A.at("data.k", "x").object());
        scheduler.settle();
        spy.forget();
        spy.assertNone(SECOND);
    }

    @Test
    @DisplayName("It waits no longer than necessary, nor than the given time")
    void waits() {
        start(controller());
        Instant before = scheduler.clock().instant();
        spy.assertNone(Duration.ofMillis(12345));
        assertThat(scheduler.clock().instant()).isEqualTo(before.plusMillis(12345));
        var unused = client.create(A.object());
        var unused2 = spy.await(KEY, Duration.ofHours(1));
        assertThat(scheduler.clock().instant()).isBefore(before.plusMillis(12345 + 100));
    }

    // threads

    @Test
    @DisplayName("Held reconciliations run at once, as many as there are workers, and a key never twice")
    void concurrency() {
        ReconcilerSpy<ConfigMap> real = ReconcilerSpy.create();
        Engine threads = Engine.create();
        Manager running =
                Manager.of(threads.client()).add(controller().workers(2).around(real::around));
        others.add(running);
        others.add(threads);
        ReconcilerSpy<ConfigMap>.Hold a = real.hold(KEY);
        ReconcilerSpy<ConfigMap>.Hold b = real.hold(key("b"));
        var unused = threads.client().create(A.object());
        var unused2 = threads.client().create(A.name("b").object());
        running.start();
        a.awaitHeld(SOON);
        b.awaitHeld(SOON);
        // both workers are busy
        var unused3 = threads.client().create(A.name("c").object());
        // and what happens to a meanwhile makes it come again, after it
        var unused4 = threads.client().update(A.at("data.k", "w").object());
        assertThat(real.seen()).isEmpty();
        b.release();
        var unused5 = real.await(key("b"), SOON);
        var unused6 = real.await(key("c"), SOON);
        assertThat(real.seen(KEY)).isEmpty();
        a.release();
        var unused7 = real.await(KEY, SOON);
        assertThat(real.await(KEY, SOON).resource().orElseThrow().getData()).containsEntry("k", "w");
        assertThat(real.mostAtOnce()).isEqualTo(2);
        assertThat(real.mostAtOnce(KEY)).isEqualTo(1);
        assertThat(real.mostAtOnce(key("nobody"))).isZero();
    }

    @Test
    @DisplayName("In real time all reconciliations are awaited, in any order")
    void realTime() {
        ReconcilerSpy<ConfigMap> real = startInRealTime(controller());
        for (String name : List.of("c", "a", "b")) {
            assertThat(real.await(key(name), SOON).key().name()).isEqualTo(name);
        }
        assertThatThrownBy(() -> real.await(KEY, Duration.ofMillis(1))).hasMessageContaining("these ended");
    }

    @Test
    @DisplayName("A hold that is interrupted fails its reconciliation, and one released before does not hold")
    void holds() {
        ReconcilerSpy<ConfigMap> real = ReconcilerSpy.create();
        Engine threads = Engine.create();
        Manager running = Manager.builder(threads.client())
                .grace(Duration.ZERO)
                .build()
                .add(controller().around(real::around));
        others.add(threads);
        real.hold(key("b")).release();
        ReconcilerSpy<ConfigMap>.Hold hold = real.hold(KEY);
        var unused = threads.client().create(A.object());
        var unused2 = threads.client().create(A.name("b").object());
        running.start();
        hold.awaitHeld(SOON);
        var unused3 = real.await(key("b"), SOON);
        assertThatThrownBy(() -> real.await(KEY, Duration.ofMillis(1))).hasMessageContaining("and 1 are running");
        running.close();
        assertThat(real.await(KEY, SOON).error().orElseThrow()).hasMessageContaining("interrupted while held");
        assertThatThrownBy(() -> real.hold(KEY).awaitHeld(Duration.ofMillis(1)))
                .hasMessageContaining("no reconciliation of default/a began");
    }

    @Test
    @DisplayName("Real time waits for failures as for successes")
    void spyTime() throws InterruptedException {
        assertThat(ReconcilerSpy.Time.real().await(CompletableFuture.completedFuture(1), Duration.ZERO))
                .isTrue();
        assertThat(ReconcilerSpy.Time.real().await(CompletableFuture.failedFuture(new IllegalStateException()), SECOND))
                .isTrue();
        assertThat(ReconcilerSpy.Time.real().await(new CompletableFuture<>(), Duration.ofNanos(1)))
                .isFalse();
    }
}
