package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class OwnerReferencesTest {
    private static ConfigMap object(String namespace, String name, String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid(uid)
                .endMetadata()
                .build();
    }

    @Test
    void controlIsSeenAndSayingItAgainChangesNothing() {
        ConfigMap owner = object("n", "owner", "u1");
        ConfigMap child = object("n", "child", "u2");

        OwnerReferences.control(owner, child);
        OwnerReferences.control(owner, child);

        assertThat(child.getMetadata().getOwnerReferences()).hasSize(1);
        assertThat(OwnerReferences.controllerOf(child)).hasValueSatisfying(reference -> {
            assertThat(reference.getKind()).isEqualTo("ConfigMap");
            assertThat(reference.getName()).isEqualTo("owner");
            assertThat(reference.getBlockOwnerDeletion()).isTrue();
        });
        assertThat(OwnerReferences.isControlledBy(child, owner)).isTrue();
    }

    @Test
    void anOwnerOfTheSameNameIsNotTheSameOwner() {
        ConfigMap child = object("n", "child", "u2");
        OwnerReferences.control(object("n", "owner", "u1"), child);

        assertThat(OwnerReferences.isControlledBy(child, object("n", "owner", "u3")))
                .isFalse();
    }

    @Test
    void refusesOwnersThatTheGarbageCollectorIgnores() {
        ConfigMap owner = object("n", "owner", "u1");
        ConfigMap child = object("n", "child", "u2");
        OwnerReferences.control(owner, child);

        assertThatThrownBy(() -> OwnerReferences.control(object("n", "second", "u3"), child))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("controlled by ConfigMap \"owner\"");
        assertThatThrownBy(() -> OwnerReferences.control(owner, object("other", "child", "u4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespace \"n\"");
        assertThatThrownBy(() -> OwnerReferences.control(object("n", "new", null), child))
                .hasMessageContaining("metadata.uid");
    }
}
