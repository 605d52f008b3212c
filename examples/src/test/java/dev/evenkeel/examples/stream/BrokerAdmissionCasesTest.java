package dev.evenkeel.examples.stream;

import dev.evenkeel.testing.AdmissionWebhookTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Cases of allowed and refused writes of brokers. */
class BrokerAdmissionCasesTest {
    private static final Given<Broker> BROKER = BrokerCasesTest.NEW;

    private static Given<Broker> gigabytes(int value) {
        return BROKER.at("spec.gigabytes", value);
    }

    private static Given<Broker> listeners(Object... namesAndPorts) {
        List<Map<String, Object>> listeners = Stream.iterate(0, i -> i < namesAndPorts.length, i -> i + 2)
                .map(i -> Map.of("name", namesAndPorts[i], "port", namesAndPorts[i + 1], "external", false))
                .toList();
        return BROKER.at("spec.listeners", listeners);
    }

    @TestFactory
    Stream<DynamicTest> questions() {
        return AdmissionWebhookTests.of(BrokerAdmission::webhook)
                .definitions(Path.of("stream", "crd.yaml"))
                .test("a broker that can be is let in as it is", t -> t.create(BROKER))
                .test("one server agrees with itself", t -> t.create(BROKER.at("spec.replicas", 1)))
                .test(
                        "an even number of servers can't agree",
                        t -> t.create(BROKER.at("spec.replicas", 4))
                                .expectDenied(422, "spec.replicas: must be odd, so that more than half can agree: 4"))
                .test(
                        "nor can it be updated to that",
                        t -> t.update(BROKER, BROKER.at("spec.replicas", 2))
                                .expectDenied(422, "more than half can agree: 2"))
                .test("listeners are not needed", t -> t.create(BROKER.without("spec.listeners")))
                .test(
                        "listeners have names of their own",
                        t -> t.create(listeners("a", 1, "b", 2, "a", 3))
                                .expectDenied(422, "spec.listeners: each needs a name of its own, and several have a"))
                .test(
                        "listeners have ports of their own",
                        t -> t.create(listeners("a", 1, "b", 2, "c", 2, "d", 1))
                                .expectDenied(
                                        422, "spec.listeners: each needs a port of its own, and several have 2, 1"))
                .test(
                        "all problems are reported at once",
                        t -> t.update(gigabytes(20), listeners("a", 1, "a", 1).at("spec.replicas", 2))
                                .expectDenied(
                                        422,
                                        "spec.replicas: must be odd, so that more than half can agree: 2; "
                                                + "spec.listeners: each needs a name of its own, and several have a; "
                                                + "spec.listeners: each needs a port of its own, and several have 1; "
                                                + "spec.gigabytes: can't shrink, and is to become 10 instead of 20"))
                .test("volumes may grow", t -> t.update(gigabytes(10), gigabytes(11)))
                .test("volumes may stay", t -> t.update(gigabytes(10), gigabytes(10)))
                .test(
                        "volumes can't shrink",
                        t -> t.update(gigabytes(10), gigabytes(9))
                                .expectDenied(422, "spec.gigabytes: can't shrink, and is to become 9 instead of 10"))
                .test("a broker may go", t -> t.delete(BROKER))
                .test("a terminating one that would be refused today is released", t -> {
                    Given<Broker> going = BROKER.at("spec.replicas", 2)
                            .finalizers("example.com/hold", "example.com/last")
                            .deleted(TestCluster.NOW);
                    t.update(going, going.finalizers("example.com/last"));
                })
                .stream();
    }
}
