package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, brokers, connectors and the overview end as they would have without it. */
class StreamConvergenceTest {
    private static List<CustomResourceDefinition> definitions() {
        try {
            return Manifests.parse(Files.readString(Path.of("stream", "crd.yaml"))).stream()
                    .map(type -> ModelCodec.convert(type, CustomResourceDefinition.class))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Convergence<?> brokers() {
        return Convergence.of(BrokerReconciler::controller)
                .types(definitions())
                .given(BrokerCasesTest.NEW.object(), BrokerCasesTest.SETTINGS.object())
                .schedules(250);
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
    void brokersLeaveAloneWhatIsSomebodyElses() {
        brokers().foreign(Given.yaml(Service.class, """
                                metadata: {namespace: default, name: main-plain}
                                spec: {ports: [{port: 80}]}
                                """).object()).assertConverges();
    }

    @Test
    void connectorsConverge() {
        Convergence.of(ConnectorReconciler::controller)
                .types(definitions())
                .given(
                        ConnectorCasesTest.NEW.object(),
                        ConnectorCasesTest.ACCOUNT.object(),
                        ConnectorCasesTest.SECRET.object())
                .edit(
                        "another password",
                        client -> client.patch(
                                Kind.of(Secret.class),
                                ConnectorCasesTest.SECRET.key(),
                                Patch.merge("{\"data\":{\"password\":\"b3RoZXI=\"}}"),
                                WriteOptions.DEFAULT))
                .schedules(250)
                .assertConverges();
    }
}
