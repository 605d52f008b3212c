package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BootstrapObjectsTest {
    @Test
    void matchARecordingOfAFreshServer() {
        Map<String, @Nullable Object> recorded =
                Json.asObject(FactTableSource.load("bootstrap.json").get("objects"));
        for (Map<String, @Nullable Object> object : BootstrapObjects.all()) {
            String key = switch (Json.string(object, "kind")) {
                case "Namespace" -> "v1/namespaces";
                case "Service" -> "v1/services";
                default -> "scheduling.k8s.io/v1/priorityclasses";
            };
            String id = key.startsWith("v1/") ? key.substring(3) : "priorityclasses.scheduling.k8s.io";
            Map<String, @Nullable Object> expected = Trees.list(recorded, key).stream()
                    .filter(o -> Json.string(o, "metadata", "name").equals(Json.string(object, "metadata", "name")))
                    .map(Json::asObject)
                    .findFirst()
                    .orElseThrow();
            Kinds.read(id, object);
            KindStrategy strategy = Kinds.of(id);
            strategy.prepareForCreate(object, Kinds.CONTEXT);
            assertThat(Kinds.errors(strategy, object)).isEmpty();
            object.remove("apiVersion");
            object.remove("kind");
            Trees.object(expected, "metadata").remove("generation");
            for (var tree : List.of(object, expected)) {
                Trees.each(tree, port -> port.remove("targetPort"), "spec", "ports");
            }
            assertThat(object).isEqualTo(expected);
        }
    }
}
