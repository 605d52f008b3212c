package dev.evenkeel.benchmarks.junit;

import org.junit.jupiter.api.RepeatedTest;

/** Tests without a cluster: what JUnit itself costs. */
public final class NoCluster {
    @RepeatedTest(200)
    void test() {}
}
