package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.junit.EngineCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The application as it is, with a kubeconfig from a property. */
@SpringBootTest
@DirtiesContext
class OverLoopbackTest {
    static final EngineCluster CLUSTER = Definitions.start();

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("kubeconfig", () -> CLUSTER.kubeconfig().toString());
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @Autowired
    KubernetesClient client;

    @Test
    void aGreetingHasAConfigMap() {
        client.resource(Definitions.greeting("good evening")).create();
        ConfigMap map = client.configMaps()
                .inNamespace("default")
                .withName("hello")
                .waitUntilCondition(Objects::nonNull, 20, TimeUnit.SECONDS);
        assertEquals("good evening", map.getData().get("text"));
    }
}
