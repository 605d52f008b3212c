package dev.evenkeel.benchmarks.junit;

import io.fabric8.kubernetes.client.KubernetesClient;

/** A test of a fresh cluster: one request. */
final class SetUp {
    private SetUp() {}

    static void check(KubernetesClient client) {
        if (client.secrets().inNamespace("default").withName("absent").get() != null) {
            throw new AssertionError("the cluster is not fresh");
        }
    }
}
