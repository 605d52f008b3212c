package com.example;

import dev.evenkeel.junit.EngineCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/** A cluster with the definition of greetings, and a greeting. */
final class Definitions {
    private Definitions() {}

    static EngineCluster start() {
        return EngineCluster.builder().manifests("greetings.yaml").start();
    }

    static Greeting greeting(String text) {
        Greeting greeting = new Greeting();
        greeting.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("hello").build());
        greeting.setSpec(new Greeting.Spec());
        greeting.getSpec().text = text;
        return greeting;
    }
}
