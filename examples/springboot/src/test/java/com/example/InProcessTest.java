package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.junit.EngineCluster;
import dev.evenkeel.junit.JosdkOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The application with a client of a cluster in this process: a bean of the test. */
@SpringBootTest
class InProcessTest {
    @TestConfiguration
    static class Cluster {
        @Bean
        EngineCluster cluster() {
            return Definitions.start();
        }

        @Bean
        @Primary
        KubernetesClient clusterClient(EngineCluster cluster) {
            return cluster.kubernetesClient();
        }
    }

    @Autowired
    EngineCluster cluster;

    @Autowired
    KubernetesClient client;

    @Autowired
    Operator operator;

    @Test
    void aGreetingHasAConfigMap() {
        client.resource(Definitions.greeting("good morning")).create();
        JosdkOperator.of(cluster, operator).settle();
        assertEquals(
                "good morning",
                client.configMaps().inNamespace("default").withName("hello").get().getData().get("text"));
    }
}
