package dev.evenkeel.benchmarks.junit;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.junit.EngineCluster;
import dev.evenkeel.junit.EvenkeelTest;
import dev.evenkeel.junit.JosdkOperator;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** 85 tests of an operator, each with a cluster and an operator of its own, which it waits for. */
@EvenkeelTest
public final class EvenkeelOperatorTests {
    @Nullable
    EngineCluster cluster;

    @RepeatedTest(85)
    void copies(RepetitionInfo repetition) {
        int number = repetition.getCurrentRepetition();
        EngineCluster own = requireNonNull(cluster);
        KubernetesClient client = own.kubernetesClient();
        var _ = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("test")
                        .endMetadata()
                        .build())
                .create();
        Operator operator = Greeting.operator(client);
        try {
            JosdkOperator control = JosdkOperator.of(own, operator);
            var _ = client.resource(Greeting.map(number)).create();
            control.settle();
            if (!Greeting.isRight(
                    client.secrets().inNamespace("test").withName("greeting").get(), number)) {
                throw new AssertionError("the secret is not right");
            }
        } finally {
            operator.stop();
        }
    }
}
