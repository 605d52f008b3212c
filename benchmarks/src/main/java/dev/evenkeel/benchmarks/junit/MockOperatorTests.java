package dev.evenkeel.benchmarks.junit;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.javaoperatorsdk.operator.Operator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** The same 85 tests, each with a mock server of its own. */
@EnableKubernetesMockClient(crud = true)
public final class MockOperatorTests {
    @Nullable
    KubernetesClient client;

    @RepeatedTest(85)
    void copies(RepetitionInfo repetition) {
        int number = repetition.getCurrentRepetition();
        KubernetesClient own = requireNonNull(client);
        Operator operator = Greeting.operator(own);
        try {
            var _ = own.resource(Greeting.map(number)).create();
            var _ = own.secrets()
                    .inNamespace("test")
                    .withName("greeting")
                    .waitUntilCondition(secret -> Greeting.isRight(secret, number), 20, TimeUnit.SECONDS);
        } finally {
            operator.stop();
        }
    }
}
