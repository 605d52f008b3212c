package dev.evenkeel.benchmarks.junit;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.junit.EvenkeelTest;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;

/** Tests that read one object of a cluster of their own. */
@EvenkeelTest
public final class EvenkeelSetUp {
    @Nullable
    KubernetesClient client;

    @RepeatedTest(200)
    void test() {
        SetUp.check(requireNonNull(client));
    }
}
