package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Whatever goes wrong on the way, the overview has the brokers that there are, and is deleted with the last one. Since
 * the controller deletes the overview itself, another actor's finalizer on it ({@link FaultKind#HOLD}) rightly keeps it
 * until the end of a run, as it would in a cluster, so this fault does not apply.
 */
class StreamOverviewConvergenceTest {
    private static final Given<Namespace> SYSTEM = Given.yaml(Namespace.class, "metadata: {name: stream-system}");

    /** As a former version has left it. */
    private static final Given<ConfigMap> FORMER = Given.yaml(
            ConfigMap.class, "{metadata: {namespace: stream-system, name: overview}, data: {default.gone: ready}}");

    private static void deleteBrokers(Client client) {
        client.list(Broker.class, ListOptions.in("default")).items().forEach(client::delete);
    }

    @Test
    void converges() {
        Convergence.of(StreamOverview::controller)
                .definitions(Path.of("stream", "crd.yaml"))
                .given(SYSTEM, Streams.BROKER, Streams.ready("orders", "main"), FORMER)
                .edit(
                        "another broker",
                        client -> client.create(Streams.BROKER.name("store").object()))
                .edit(
                        "another topic",
                        client -> client.create(Streams.ready("bills", "store").object()))
                .edit("the brokers are deleted", StreamOverviewConvergenceTest::deleteBrokers)
                .without(FaultKind.HOLD)
                .assertConverges();
    }
}
