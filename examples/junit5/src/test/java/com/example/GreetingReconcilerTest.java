package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.junit.EngineCluster;
import dev.evenkeel.junit.EvenkeelTest;
import dev.evenkeel.junit.JosdkConvergence;
import dev.evenkeel.junit.JosdkOperator;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.util.ReflectionUtils;

@EvenkeelTest(manifests = "greetings.yaml")
class GreetingReconcilerTest {
    KubernetesClient client;
    EngineCluster cluster;
    Operator operator;
    JosdkOperator control;

    @BeforeEach
    void start() {
        operator = new Operator(settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
        operator.register(new GreetingReconciler());
        operator.start();
        control = JosdkOperator.of(cluster, operator);
    }

    @AfterEach
    void stop() {
        operator.stop();
    }

    static Greeting greeting(String name, String text) {
        Greeting greeting = new Greeting();
        greeting.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        greeting.setSpec(new Greeting.Spec());
        greeting.getSpec().text = text;
        return greeting;
    }

    ConfigMap map() {
        return client.configMaps().inNamespace("default").withName("hello").get();
    }

    @Test
    void runsWithJUnit5() {
        String jar = ReflectionUtils.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        assertTrue(jar.contains("junit-platform-commons-1."), jar);
    }

    @Test
    void aGreetingHasAConfigMap() {
        client.resource(greeting("hello", "good morning")).create();
        control.settle();
        assertEquals("good morning", map().getData().get("text"));
    }

    @Test
    void theConfigMapIsDeletedWithItsGreeting() {
        client.resource(greeting("hello", "good morning")).create();
        control.settle();
        client.resources(Greeting.class).inNamespace("default").withName("hello").delete();
        control.settle();
        assertNull(map());
    }

    @Test
    void converges() {
        JosdkConvergence.of(GreetingReconciler::new)
                .manifests("greetings.yaml")
                .given(greeting("hello", "good morning"), greeting("hi", "good evening"))
                .edit("another text", client -> client.resources(Greeting.class)
                        .inNamespace("default")
                        .withName("hi")
                        .edit(greeting -> {
                            greeting.getSpec().text = "good night";
                            return greeting;
                        }))
                .schedules(1000)
                .assertConverges();
    }
}
