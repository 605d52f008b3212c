package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.Streams.BROKER;
import static dev.evenkeel.examples.stream.Streams.DEFINITIONS;
import static dev.evenkeel.examples.stream.Streams.EARLIER;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.RecordedCall.Verb.GET;

import dev.evenkeel.testing.AdmissionWebhookTests;
import dev.evenkeel.testing.object.Given;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TopicAdmissionTest {
    private static final Given<Topic> TOPIC = Given.yaml(Topic.class, """
            metadata: {namespace: default, name: orders}
            spec: {broker: main, partitions: 6, replicas: 3}
            """);
    private static final Given<Topic> OPEN = TOPIC.without("spec.partitions").without("spec.replicas");
    private static final Given<Broker> SMALL = BROKER.at("spec.replicas", 1);

    private static AdmissionWebhookTests filling() {
        return AdmissionWebhookTests.in(cluster -> TopicAdmission.mutating(cluster.reactive()))
                .definitions(DEFINITIONS);
    }

    private static AdmissionWebhookTests judging() {
        return AdmissionWebhookTests.in(cluster -> TopicAdmission.validating(cluster.reactive()))
                .definitions(DEFINITIONS);
    }

    @TestFactory
    Stream<DynamicTest> fillsIn() {
        return filling()
                .test(
                        "a topic that says all is left as it is",
                        t -> t.given(BROKER).create(TOPIC))
                .test(
                        "three partitions, and three replicas",
                        t -> t.given(BROKER)
                                .create(OPEN)
                                .expectPatched(TOPIC.at("spec.partitions", 3).at("spec.replicas", 3)))
                .test(
                        "no more replicas than the broker has servers",
                        t -> t.given(SMALL)
                                .create(OPEN)
                                .expectPatched(TOPIC.at("spec.partitions", 3).at("spec.replicas", 1)))
                .test(
                        "three replicas, though the broker has more servers",
                        t -> t.given(BROKER.at("spec.replicas", 5))
                                .create(TOPIC.without("spec.replicas"))
                                .expectPatched(TOPIC))
                .test(
                        "without its broker the replicas stay open",
                        t -> t.create(OPEN).expectPatched(OPEN.at("spec.partitions", 3)))
                .test(
                        "absent fields get defaults",
                        t -> t.given(BROKER.at("spec.replicas", 5))
                                .update(TOPIC.at("spec.replicas", 2), OPEN)
                                .expectPatched(TOPIC.at("spec.replicas", 2)))
                .test(
                        "a broker that cannot be read: the write is refused, and may be tried again",
                        t -> t.given(BROKER)
                                .react(on(GET).kind(Broker.class).fails(internal()))
                                .create(OPEN)
                                .expectDenied(500, ""))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> judges() {
        return judging()
                .test("a topic that its broker can have", t -> t.given(BROKER).create(TOPIC))
                .test(
                        "more replicas than the broker has servers",
                        t -> t.given(SMALL)
                                .create(TOPIC)
                                .expectDenied(
                                        422,
                                        "spec.replicas: are 3, and broker \"main\" has 1 servers: at most as many"))
                .test(
                        "as many replicas as the broker has servers",
                        t -> t.given(SMALL).create(TOPIC.at("spec.replicas", 1)))
                .test(
                        "a broker that does not exist yet",
                        t -> t.create(TOPIC).expectWarning("there is no broker \"main\" yet: the topic waits for it"))
                .test(
                        "another broker",
                        t -> t.given(BROKER, BROKER.name("other"))
                                .update(TOPIC, TOPIC.at("spec.broker", "other"))
                                .expectDenied(
                                        422,
                                        "spec.broker: is \"main\" and cannot become \"other\": make another topic"
                                                + " there"))
                .test(
                        "fewer partitions",
                        t -> t.given(BROKER)
                                .update(TOPIC, TOPIC.at("spec.partitions", 5))
                                .expectDenied(422, "spec.partitions: are 6 and cannot become 5: they do not shrink"))
                .test("more partitions", t -> t.given(BROKER).update(TOPIC, TOPIC.at("spec.partitions", 7)))
                .test(
                        "all problems are reported",
                        t -> t.given(BROKER)
                                .update(TOPIC, TOPIC.at("spec.partitions", 5).at("spec.replicas", 4))
                                .expectDenied(
                                        422,
                                        "they do not shrink; spec.replicas: are 4, and broker \"main\" has 3 servers"))
                .test(
                        "a topic whose broker has shrunk can get a label",
                        t -> t.given(SMALL).update(TOPIC, TOPIC.label("team", "shop")))
                .test(
                        "a topic whose broker has shrunk can be deleted",
                        t -> t.given(SMALL)
                                .update(
                                        TOPIC.finalizers("example.com/hold", TopicReconciler.FINALIZER)
                                                .deleted(EARLIER),
                                        TOPIC.finalizers("example.com/hold").deleted(EARLIER)))
                .test("a topic is deleted", t -> t.given(SMALL).delete(TOPIC))
                .stream();
    }
}
