package dev.evenkeel.reconcile;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A status in which each of several roots has a part under a key of its own. */
@Timeout(300)
class StatusPartsTest {
    /** A part of the status. */
    record State(
            long observedGeneration,
            @Nullable List<Condition> conditions,
            @Nullable String note) {
        State withConditions(List<Condition> value) {
            return new State(observedGeneration, value, note);
        }

        State withGeneration(long value) {
            return new State(value, conditions, note);
        }

        State withNote(@Nullable String value) {
            return new State(observedGeneration, conditions, value);
        }
    }

    @Group("test.evenkeel.dev")
    @Version("v1")
    static final class Shared extends CustomResource<Map<String, String>, TreeMap<String, State>>
            implements Namespaced {
        Optional<State> part(String key) {
            return Optional.ofNullable(getStatus()).map(parts -> parts.get(key));
        }

        void part(String key, State state) {
            if (getStatus() == null) {
                setStatus(new TreeMap<>());
            }
            getStatus().put(key, state);
        }
    }

    private static final Kind<Shared> KIND = Kind.of(Shared.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "it");
    private static final ConditionSet CONDITIONS = ConditionSet.living("Done");

    private static StatusAccess.Values<Shared, State> status(String key) {
        return StatusAccess.<Shared, State>part(key, Shared::part, Shared::part, () -> new State(0, null, null))
                .conditions(State::conditions, State::withConditions)
                .observedGeneration(State::withGeneration);
    }

    private final Engine engine = Engine.builder()
            .executor(Runnable::run)
            .register(Registration.of(KIND).status(true).build())
            .build();
    private final Client client = engine.client();
    private final ReactiveClient reactive = ReactiveClient.of(client);
    private final VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final Manager manager =
            Manager.builder(reactive).scheduler(scheduler).build();

    @AfterEach
    void close() {
        manager.close();
        engine.close();
    }

    private void create(String wish) {
        Shared shared = new Shared();
        shared.getMetadata().setNamespace("default");
        shared.getMetadata().setName("it");
        shared.setSpec(Map.of("wish", wish));
        Shared unused = client.create(shared);
    }

    /** Returns a root that writes the wish as a note of its part, after an action. */
    private ResourceReconciler<Shared> root(String key, Runnable before) {
        StatusAccess.Values<Shared, State> status = status(key);
        return ResourceReconciler.of(KIND)
                .name(key)
                .conditions(CONDITIONS)
                .status(status)
                .reconciler((reconciliation, shared) -> {
                    before.run();
                    String wish = shared.getSpec().get("wish");
                    status.setValue(shared, status.value(shared).withNote("none".equals(wish) ? null : wish));
                    CONDITIONS.manage(reconciliation, shared, status).markTrue("Done", "Done");
                    return Result.done();
                })
                .build();
    }

    private void start(String key, Runnable before) {
        manager.add(root(key, before).controller().name(key));
    }

    private Shared settled() {
        scheduler.advance(Duration.ofMinutes(1));
        return client.get(KIND, KEY);
    }

    private int patches() {
        return reactive.journal()
                .count(on(RecordedCall.Verb.PATCH).kind(Shared.class).status());
    }

    @Test
    void eachRootWritesItsOwnPart() {
        create("one");
        start("first", () -> {});
        start("second", () -> {});
        manager.start();
        Shared shared = settled();
        assertThat(shared.getStatus()).containsOnlyKeys("first", "second");
        for (State state : shared.getStatus().values()) {
            assertThat(state.note()).isEqualTo("one");
            assertThat(state.observedGeneration()).isEqualTo(1);
            assertThat(Conditions.isTrue(state.conditions(), "Ready")).isTrue();
        }
        assertThat(patches()).isEqualTo(2);

        shared.setSpec(Map.of("wish", "none"));
        Shared unused = client.update(shared);
        assertThat(settled().part("first")).hasValueSatisfying(state -> {
            assertThat(state.note()).isNull();
            assertThat(state.observedGeneration()).isEqualTo(2);
        });
        assertThat(patches()).isEqualTo(4);
    }

    @Test
    void aWriteOfAnotherPartMeanwhileIsNotAConflict() {
        create("one");
        AtomicReference<Runnable> once = new AtomicReference<>(() -> {
            Shared unused = client.patchStatus(
                    KIND, KEY, Patch.merge("{\"status\":{\"other\":{\"note\":\"kept\"}}}"), WriteOptions.DEFAULT);
        });
        start("first", () -> once.getAndSet(() -> {}).run());
        manager.start();
        Shared shared = settled();
        assertThat(shared.part("other")).map(State::note).contains("kept");
        assertThat(shared.part("first")).map(State::note).contains("one");
        assertThat(patches()).isEqualTo(1);
    }

    @Test
    void anotherObjectOfTheSameNameIsNotWritten() {
        create("one");
        AtomicReference<Runnable> once = new AtomicReference<>(() -> {
            var unused = client.delete(Shared.class, KEY);
            create("two");
        });
        start("first", () -> once.getAndSet(() -> {}).run());
        manager.start();
        assertThat(settled().part("first")).map(State::note).contains("two");
        // the first of them is refused
        assertThat(patches()).isEqualTo(2);
    }

    @Test
    void aKeyIsNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status(""))
                .withMessage("key: must not be empty: give the name of a field of the status");
    }
}
