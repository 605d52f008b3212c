package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Instant;

/** Common parts of the tests of topics, accounts and mirrors. */
final class Streams {
    static final Path DEFINITIONS = Path.of("stream", "crd.yaml");
    static final Instant EARLIER = TestCluster.NOW.minusSeconds(60);

    /** The service's name of the broker. */
    static final String MAIN = "default/main";

    static final Given<Broker> BROKER =
            Given.yaml(Broker.class, """
                    metadata: {namespace: default, name: main}
                    spec: {image: 'broker:4', replicas: 3, gigabytes: 10}
                    """).condition("Ready").isTrue("Ready");
    static final Given<Broker> STARTING = BROKER.condition("Ready").isFalse("Starting", "1 of 3 servers is ready");

    private Streams() {}

    /** A topic that is ready. */
    static Given<Topic> ready(String name, String broker) {
        return Given.yaml(Topic.class, "spec: {partitions: 6, replicas: 3}")
                .namespace("default")
                .name(name)
                .at("spec.broker", broker)
                .condition("Ready")
                .isTrue("Ready");
    }

    /** A condition that says something of the present generation since now. */
    static <T extends HasMetadata> Given<T> says(
            Given<T> object, String type, String status, String reason, String message) {
        Given<T>.ConditionStatement condition = object.condition(type).since(TestCluster.NOW);
        Given<T> said = switch (status) {
            case "True" -> condition.isTrue(reason, message);
            case "False" -> condition.isFalse(reason, message);
            default -> condition.unknown(reason, message);
        };
        return said.statusAt(
                "conditions[type=" + type + "].observedGeneration",
                object.object().getMetadata().getGeneration());
    }

    /** The status is written: this. */
    static <S extends Expectations<S>> S expectStatus(Expectations<S> t, Given<?> object) {
        return t.expectStatusUpdate(object)
                .expectEvent(object, "Normal", "StatusUpdated", "WriteStatus", "Updated status");
    }

    /** The only finalizer is added, or cleared. */
    static <S extends Expectations<S>> S expectFinalizer(
            Expectations<S> t, Given<?> object, String finalizer, boolean added) {
        return (added ? t.expectFinalizers(object, finalizer) : t.expectFinalizers(object))
                .expectEvent(
                        object,
                        "Normal",
                        "FinalizerPatched",
                        added ? "AddFinalizer" : "ClearFinalizer",
                        "Patched finalizer \"" + finalizer + "\"");
    }

    static Tracker.Target tracked(Class<? extends HasMetadata> type, String name) {
        return Tracker.Target.of(Kind.of(type), ObjectKey.of("default", name));
    }

    static void patch(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client().patch(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    static void patchStatus(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client()
                .patchStatus(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    static void delete(TestCluster cluster, Given<?> object) {
        var _ = cluster.client().delete(object.type(), object.key());
    }

    static boolean exists(Expectations.Run run, Given<?> object) {
        return run.cluster().client().find(object.type(), object.key()).isPresent();
    }
}
