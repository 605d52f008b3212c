package dev.evenkeel.load.internal.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.World;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EffectsTest {
    private static final Effect COPY = Effect.Shown.named(Kinds.SECRET, "copy-${name}", "metadata.labels.v", "data.v");

    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final Pace pace = new Pace(scheduler);

    @AfterEach
    void close() {
        engine.close();
    }

    private static Optional<Effect> ofConfigMaps(Operation operation, Effect effect) {
        return switch (operation) {
            case Operation.Create(var object) when object.kind().equals(Kinds.CONFIG_MAP) -> Optional.of(effect);
            case Operation.Edit edit -> Optional.of(effect);
            case Operation.Delete delete -> Optional.of(effect);
            default -> Optional.empty();
        };
    }

    private Effects effects(Effect effect) {
        return new Effects(client, operation -> ofConfigMaps(operation, effect), pace);
    }

    private void make(Effects effects, Operation... operations) throws InterruptedException {
        try (Driver driver = new Driver(client, Disruption.NONE, effects, pace, 0)) {
            Driver.Outcome outcome = driver.run(
                    List.of(operations).iterator(),
                    new WorldState(World.EMPTY),
                    new Rate.Acknowledged(),
                    Duration.ofMinutes(1),
                    done -> {});
            assertThat(outcome.refusals()).isEmpty();
        }
    }

    private static Operation create(String name, String value) {
        return new Operation.Create(
                LoadObject.of(Kinds.CONFIG_MAP, ObjectKey.of("default", name), Map.of("data", Map.of("v", value))));
    }

    private static Operation edit(String name, String value) {
        return new Operation.Edit(
                Kinds.CONFIG_MAP, ObjectKey.of("default", name), Map.of("data", Map.of("v", value)), false);
    }

    private void copy(String name, String value) {
        Encoded unused = client.apply(
                Kinds.SECRET,
                LoadObject.of(
                                Kinds.SECRET,
                                ObjectKey.of("default", "copy-" + name),
                                Map.of("metadata", Map.of("labels", Map.of("v", value))))
                        .content(),
                WriteOptions.DEFAULT.fieldManager("test").force(true));
    }

    private void await(Effects effects, int pending) {
        scheduler.run();
        assertThat(effects.pending()).isEqualTo(pending);
    }

    @Test
    void theLatencyIsTheTimeFromTheAcknowledgementToTheEffect() throws InterruptedException {
        try (Effects effects = effects(COPY)) {
            effects.watch(Kinds.SECRET);
            make(effects, create("a", "1"));
            assertThat(effects.pending()).isEqualTo(1);
            copy("a", "0");
            scheduler.skip(Duration.ofMillis(5));
            copy("a", "1");
            await(effects, 0);
            Effects.Outcome outcome = effects.take();
            assertThat(outcome.visible().count()).isEqualTo(1);
            assertThat(outcome.visible().max()).isBetween(Duration.ofMillis(4), Duration.ofMillis(6));
            assertThat(outcome.byNamespace()).containsOnlyKeys("default");
            assertThat(outcome.missing()).isZero();
        }
    }

    @Test
    void anEffectThatCameFirstTookNoTime() throws InterruptedException {
        copy("a", "1");
        try (Effects effects = effects(COPY)) {
            effects.watch(Kinds.SECRET);
            scheduler.skip(Duration.ofMillis(5));
            make(effects, create("a", "1"));
            assertThat(effects.pending()).isZero();
            assertThat(effects.take().visible().max()).isZero();
        }
    }

    @Test
    void anEffectThatALaterOneReplacedIsSeenWithThat() throws InterruptedException {
        try (Effects effects = effects(COPY)) {
            effects.watch(Kinds.SECRET);
            make(effects, create("a", "1"), edit("a", "2"), edit("a", "3"));
            assertThat(effects.pending()).isEqualTo(3);
            copy("a", "2");
            await(effects, 1);
            copy("a", "3");
            await(effects, 0);
            assertThat(effects.take().visible().count()).isEqualTo(3);
        }
    }

    @Test
    void deletionsAreSeenWhenTheObjectIsDeleted() throws InterruptedException {
        try (Effects effects = effects(COPY)) {
            effects.watch(Kinds.SECRET);
            make(effects, create("a", "1"));
            copy("a", "1");
            await(effects, 0);
            make(effects, new Operation.Delete(Kinds.CONFIG_MAP, ObjectKey.of("default", "a")));
            assertThat(effects.pending()).isEqualTo(1);
            client.delete(Kinds.SECRET, ObjectKey.of("default", "copy-a"), dev.evenkeel.client.DeleteOptions.DEFAULT);
            await(effects, 0);
        }
    }

    private void child(String name, String owner) {
        Encoded unused = client.apply(
                Kinds.SECRET,
                LoadObject.of(
                                Kinds.SECRET,
                                ObjectKey.of("default", name),
                                Map.of("metadata", Map.of("labels", Map.of("example.com/of", owner))))
                        .content(),
                WriteOptions.DEFAULT.fieldManager("test").force(true));
    }

    @Test
    void aChildIsFoundByItsLabel() throws InterruptedException {
        Effect.Shown labelled = new Effect.Shown(Kinds.SECRET, "example.com/of", "${name}", "", "");
        try (Effects effects = effects(labelled)) {
            effects.watch(labelled);
            make(effects, create("a", "1"), create("b", "1"));
            child("x", "other");
            await(effects, 2);
            child("a-1", "a");
            await(effects, 1);
            child("x", "b");
            await(effects, 0);
            make(effects, new Operation.Delete(Kinds.CONFIG_MAP, ObjectKey.of("default", "b")));
            await(effects, 1);
            child("x", "other");
            await(effects, 0);
            make(effects, new Operation.Delete(Kinds.CONFIG_MAP, ObjectKey.of("default", "a")));
            await(effects, 1);
            client.delete(Kinds.SECRET, ObjectKey.of("default", "a-1"), dev.evenkeel.client.DeleteOptions.DEFAULT);
            await(effects, 0);
        }
    }

    @Test
    void observedGenerationsAreSeen() throws InterruptedException {
        Kind<Encoded> deployments = Kinds.DEPLOYMENT;
        Map<String, Object> spec = Map.of(
                "replicas",
                1,
                "selector",
                Map.of("matchLabels", Map.of("a", "b")),
                "template",
                Map.of(
                        "metadata",
                        Map.of("labels", Map.of("a", "b")),
                        "spec",
                        Map.of("containers", List.of(Map.of("name", "c", "image", "i")))));
        ObjectKey key = ObjectKey.of("default", "d");
        try (Effects effects = new Effects(client, operation -> Optional.of(new Effect.ObservedGeneration("")), pace)) {
            effects.watch(deployments);
            make(
                    effects,
                    new Operation.Create(LoadObject.of(deployments, key, Map.of("spec", spec))),
                    new Operation.Edit(deployments, key, Map.of("spec", Map.of("replicas", 2)), false));
            assertThat(effects.pending()).isEqualTo(2);
            client.patchStatus(
                    deployments, key, Patch.merge("{\"status\":{\"observedGeneration\":2}}"), WriteOptions.DEFAULT);
            await(effects, 0);
        }
    }

    @Test
    void conditionsAreSeen() throws InterruptedException {
        Kind<Encoded> budgets = Kind.of(PodDisruptionBudget.class).in(Encoded.class);
        ObjectKey key = ObjectKey.of("default", "b");
        try (Effects effects =
                new Effects(client, operation -> Optional.of(new Effect.ObservedGeneration("Ready")), pace)) {
            effects.watch(budgets);
            make(
                    effects,
                    new Operation.Create(LoadObject.of(budgets, key, Map.of("spec", Map.of("minAvailable", 1)))),
                    new Operation.Edit(budgets, key, Map.of("spec", Map.of("minAvailable", 2)), false));
            assertThat(effects.pending()).isEqualTo(2);
            show(budgets, key, "False", 2);
            show(budgets, key, "True", 1);
            await(effects, 1);
            show(budgets, key, "True", 2);
            await(effects, 0);
        }
    }

    private void show(Kind<Encoded> kind, ObjectKey key, String status, int generation) {
        client.patchStatus(
                kind,
                key,
                Patch.merge("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + status
                        + "\",\"observedGeneration\":" + generation
                        + ",\"reason\":\"R\",\"message\":\"m\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}"),
                WriteOptions.DEFAULT);
    }

    @Test
    void wordsOfTheOutputAreSeen() throws InterruptedException {
        try (Effects effects = effects(new Effect.Output("to/${namespace}/${name}"))) {
            make(effects, create("a", "1"), create("b", "1"), create("c", "1"));
            scheduler.skip(Duration.ofMillis(7));
            effects.output("add element {10.0.0.1 : goto to/default/a, 10.0.0.2 : goto to/default/b2}");
            assertThat(effects.pending()).isEqualTo(2);
            effects.output("\"to/default/c\"");
            assertThat(effects.pending()).isEqualTo(1);
            Effects.Outcome outcome = effects.take();
            assertThat(outcome.visible().count()).isEqualTo(2);
            assertThat(outcome.visible().max()).isBetween(Duration.ofMillis(6), Duration.ofMillis(8));
            assertThat(outcome.missing()).isEqualTo(1);
            assertThat(outcome.missingIn()).containsExactly("default");
            assertThat(effects.pending()).isZero();
        }
    }

    @Test
    void equalWordsOfSeveralNamespacesAreSeenOneByOne() throws InterruptedException {
        // all but the last one stayed pending
        Operation other = new Operation.Create(
                LoadObject.of(Kinds.CONFIG_MAP, ObjectKey.of("kube-system", "a"), Map.of("data", Map.of("v", "1"))));
        try (Effects effects = effects(new Effect.Output("configmap/${name}"))) {
            make(effects, create("a", "1"), other);
            assertThat(effects.pending()).isEqualTo(2);
            effects.output("configmap/a");
            assertThat(effects.pending()).isEqualTo(1);
            effects.output("configmap/a");
            assertThat(effects.pending()).isZero();
        }
    }
}
