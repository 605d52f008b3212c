package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class FinalizersTest {
    @Test
    void addsAndRemovesOnce() {
        ConfigMap object =
                new ConfigMapBuilder().withNewMetadata().endMetadata().build();

        assertThat(Finalizers.add(object, "e.com/a")).isTrue();
        assertThat(Finalizers.add(object, "e.com/a")).isFalse();
        assertThat(Finalizers.has(object, "e.com/a")).isTrue();
        assertThat(Finalizers.remove(object, "e.com/a")).isTrue();
        assertThat(Finalizers.remove(object, "e.com/a")).isFalse();
        assertThat(object.getMetadata().getFinalizers()).isEmpty();
    }
}
