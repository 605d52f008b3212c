package dev.evenkeel.benchmarks.junit;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;

/** Tests that read one object of a mock server of their own. */
@EnableKubernetesMockClient(crud = true)
public final class MockSetUp {
    @Nullable
    KubernetesClient client;

    @RepeatedTest(200)
    void test() {
        SetUp.check(requireNonNull(client));
    }
}
