package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, brokers, connectors and the overview end as they would have without it. */
class StreamConvergenceTest {
    private static Convergence<?> brokers() {
        return Convergence.of(BrokerReconciler::controller)
                .definitions(Path.of("stream", "crd.yaml"))
                .given(BrokerCasesTest.NEW, BrokerCasesTest.SETTINGS);
    }

    @Test
    void brokersConverge() {
        brokers()
                .edit(
                        "five servers, and one listener less",
                        client -> client.patch(
                                Kind.of(Broker.class),
                                BrokerCasesTest.NEW.key(),
                                Patch.merge(
                                        "{\"spec\":{\"replicas\":5,\"listeners\":[{\"name\":\"plain\",\"port\":9092}]}}"),
                                WriteOptions.DEFAULT))
                .edit(
                        "other settings",
                        client -> client.patch(
                                Kind.of(ConfigMap.class),
                                BrokerCasesTest.SETTINGS.key(),
                                Patch.merge("{\"data\":{\"retention\":\"1d\"}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }

    @Test
    void brokersLeaveForeignResourcesAlone() {
        brokers().foreign(Given.yaml(Service.class, """
                                metadata: {namespace: default, name: main-plain}
                                spec: {ports: [{port: 80}]}
                                """)).assertConverges();
    }

    @Test
    void connectorsConverge() {
        Convergence.of(ConnectorReconciler::controller)
                .definitions(Path.of("stream", "crd.yaml"))
                .given(ConnectorCasesTest.NEW, ConnectorCasesTest.ACCOUNT, ConnectorCasesTest.SECRET)
                .edit(
                        "another password",
                        client -> client.patch(
                                Kind.of(Secret.class),
                                ConnectorCasesTest.SECRET.key(),
                                Patch.merge("{\"data\":{\"password\":\"b3RoZXI=\"}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
