package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

/** Objects for tests. */
public final class Objects {
    private Objects() {}

    public static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    static ConfigMap configMap(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("k", value)
                .build();
    }
}
