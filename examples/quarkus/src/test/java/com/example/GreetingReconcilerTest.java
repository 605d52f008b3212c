package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(EvenkeelCluster.class)
class GreetingReconcilerTest {
    @Inject
    KubernetesClient client;

    @Test
    void aGreetingHasAConfigMap() {
        Greeting greeting = new Greeting();
        greeting.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("hello").build());
        greeting.setSpec(new Greeting.Spec());
        greeting.getSpec().text = "good morning";
        client.resource(greeting).create();

        ConfigMap map = client.configMaps()
                .inNamespace("default")
                .withName("hello")
                .waitUntilCondition(Objects::nonNull, 20, TimeUnit.SECONDS);
        assertEquals("good morning", map.getData().get("text"));
    }
}
