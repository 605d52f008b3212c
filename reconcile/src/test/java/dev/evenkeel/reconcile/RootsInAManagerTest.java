package dev.evenkeel.reconcile;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.Trigger;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roots with queue, watches and time, which is moved. */
@Timeout(300)
class RootsInAManagerTest {
    private static final ConditionSet CONDITIONS = ConditionSet.living("MapReady");
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();
    private final ReactiveClient reactive = ReactiveClient.of(client);
    private final VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final Manager manager =
            Manager.builder(reactive).scheduler(scheduler).build();
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void define() {
        for (Given<?> definition : Given.all(Thing.DEFINITION)) {
            HasMetadata unused = client.create(definition.object());
        }
    }

    @AfterEach
    void close() {
        manager.close();
        engine.close();
    }

    private void start(Controller<?> controller) {
        manager.add(controller).start();
        scheduler.settle();
    }

    private Thing thing() {
        return client.get(Thing.class, Thing.NEW.key());
    }

    private int statusWrites() {
        return reactive.journal()
                .count(on(RecordedCall.Verb.UPDATE).kind(Thing.class).status());
    }

    /** Has a map for each thing, which the thing owns. */
    private static Part<Thing> map() {
        return Part.of(Part.Description.of("Map").needs(new Part.Requirement.Owns<>(MAPS)), (reconciliation, thing) -> {
            if (reconciliation.cache(MAPS).find(reconciliation.key()).isEmpty()) {
                ConfigMap map = new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(thing.getMetadata().getName())
                        .endMetadata()
                        .withData(
                                Map.of("size", Integer.toString(thing.getSpec().size())))
                        .build();
                OwnerReferences.control(thing, map);
                ConfigMap unused = reconciliation.client().create(map);
            }
            CONDITIONS.manage(reconciliation, thing).markTrue("MapReady", "Made");
            return Result.done();
        });
    }

    @Test
    void settles() {
        Thing unused = client.create(Thing.NEW.object());
        start(ResourceReconciler.of(Thing.class)
                .conditions(CONDITIONS)
                .reconciler(map())
                .build()
                .controller());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(thing().getStatus().getConditions())
                .extracting(Condition::getType, Condition::getStatus)
                .containsExactly(tuple("MapReady", "True"), tuple("Ready", "True"));
        assertThat(thing().getStatus().getObservedGeneration()).isEqualTo(1);
        assertThat(statusWrites()).isEqualTo(1);
        var unused2 = client.delete(ConfigMap.class, Thing.NEW.key());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(client.find(ConfigMap.class, Thing.NEW.key())).isPresent();
        assertThat(statusWrites()).isEqualTo(1);
    }

    private SubReconciler<Thing> counting(Result outcome) {
        return (reconciliation, thing) -> {
            thing.note("tried " + runs.incrementAndGet() + " times");
            return outcome;
        };
    }

    private static ResourceReconciler.Builder<Thing> root(SubReconciler<Thing> part) {
        return ResourceReconciler.of(Thing.class).reconciler(part);
    }

    /** D13: a status that changes at each failure must not take its delay away. */
    @Test
    void failuresAreDelayedThoughEachChangesTheStatus() {
        Thing unused = client.create(Thing.NEW.object());
        start(root(counting(Result.failed(new IllegalStateException("no"))))
                .build()
                .controller());
        scheduler.advance(Duration.ofSeconds(10));
        // after 5 ms, 10 ms, 20 ms ...
        assertThat(runs.get()).isBetween(9, 13);
        assertThat(thing().getStatus().getNote()).isEqualTo("tried " + runs.get() + " times");
        int before = runs.get();
        Thing unused2 = client.updateStatus(
                Given.of(thing()).statusAt("note", "by somebody else").object());
        scheduler.advance(Duration.ofMillis(1));
        assertThat(runs.get()).as("what others write is heard").isEqualTo(before + 1);
    }

    /** A status that changed nothing has no echo: the next change seen is another client's. */
    @Test
    void changesByOthersTriggerWithoutAnEcho() {
        Thing unused = client.create(Thing.NEW.object());
        AtomicInteger failures = new AtomicInteger();
        start(root((reconciliation, thing) -> {
                    runs.incrementAndGet();
                    if (failures.getAndDecrement() > 0) {
                        thing.note("in vain");
                        return Result.failed(new IllegalStateException("no"));
                    }
                    return Result.done();
                })
                .build()
                .controller());
        failures.set(1);
        reactive.react(on(RecordedCall.Verb.UPDATE)
                .kind(Thing.class)
                .status()
                .isIgnored()
                .once());
        Thing unused2 = client.update(Given.of(thing()).label("a", "b").object());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(reactive.unused()).isEmpty();
        int before = runs.get();
        Thing unused3 = client.updateStatus(
                Given.of(thing()).statusAt("note", "by somebody else").object());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(runs.get()).isEqualTo(before + 1);
    }

    /** D13: a trigger that does not look at the status must not take the retry away. */
    @Test
    void failuresAreTriedAgainThoughTheStatusDoesNotWake() {
        Thing unused = client.create(Thing.NEW.object());
        start(root(counting(Result.failed(new IllegalStateException("no"))))
                .setup(controller -> controller.trigger(Trigger.generation()))
                .build()
                .controller());
        scheduler.advance(Duration.ofSeconds(10));
        assertThat(runs.get()).isBetween(9, 13);
    }

    /** D13: an appointment holds though the status was written. */
    @Test
    void appointmentsHold() {
        Thing unused = client.create(Thing.NEW.object());
        start(root((reconciliation, thing) -> {
                    runs.incrementAndGet();
                    thing.note("seen");
                    return Result.after(Duration.ofSeconds(5));
                })
                .setup(controller -> controller.trigger(Trigger.generation()))
                .build()
                .controller());
        scheduler.advance(Duration.ofSeconds(12));
        assertThat(runs.get()).isEqualTo(3);
        assertThat(statusWrites()).isEqualTo(1);
    }

    /** D14: what is durable waits for a change. */
    @Test
    void aDurableFailureWaitsForAChange() {
        Thing unused = client.create(Thing.NEW.object());
        start(root((reconciliation, thing) -> {
                    runs.incrementAndGet();
                    return Result.durable(new IllegalStateException("no"));
                })
                .build()
                .controller());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(runs.get()).isEqualTo(1);
        Thing unused2 = client.update(Given.of(thing()).at("spec.size", 2).object());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(runs.get()).isEqualTo(2);
    }
}
