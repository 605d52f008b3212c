package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A definition costs about the same whether there are ten or hundreds: measured in memory, which is exact. */
class DefinitionsGrowthTest {
    private static final Kind<Encoded> DEFINITIONS = Kind.generic(
                    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false)
            .encoded();

    private static long allocated(Client client, int number) {
        String definition = """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"widgets#.test.evenkeel.dev"},
                 "spec":{"group":"test.evenkeel.dev","scope":"Namespaced",
                  "names":{"plural":"widgets#","singular":"widget#","kind":"Widget#","listKind":"Widget#List"},
                  "versions":[{"name":"v1","served":true,"storage":true,
                   "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
                """.replace("#", Integer.toString(number));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Encoded unused = client.create(
                DEFINITIONS, Encoded.of(definition.getBytes(StandardCharsets.UTF_8)), WriteOptions.DEFAULT);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void manyDefinitionsDoNotMakeTheNextOneExpensive() {
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            long few = 0;
            long many = 0;
            for (int i = 0; i < 320; i++) {
                long bytes = allocated(client, i);
                few += i >= 20 && i < 40 ? bytes : 0;
                many += i >= 300 ? bytes : 0;
            }
            // what is left is a few references for each: 280 definitions more took 15 times as much when all were
            // parsed
            assertThat(many).isLessThan(4 * few);
        }
    }
}
