package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoredObjectsTest {
    @Test
    @DisplayName("Bodies are JSON of the requested size")
    void sizes() {
        assertThat(StoredObjects.configMap(7)).hasSize(1_024);
        assertThat(StoredObjects.configMap("x", 1, 512)).hasSize(512);
        assertThat(StoredObjects.widget("x")).hasSize(1_024);
        assertThat(name(StoredObjects.configMap(7))).isEqualTo("object-000007");
        assertThat(name(StoredObjects.widget("x"))).isEqualTo("x");
        assertThat(name(StoredObjects.WIDGET_TYPE.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("widgets.bench.evenkeel.dev");
    }

    private static String name(byte[] body) {
        return Json.string(Json.parse(body, JsonLimits.DEFAULT), "metadata", "name");
    }
}
