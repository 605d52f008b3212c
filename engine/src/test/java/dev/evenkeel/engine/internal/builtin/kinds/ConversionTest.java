package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConversionTest {
    private static final KindStrategy CORE = Kinds.of("events");
    private static final KindStrategy EVENTS = Kinds.of("events.events.k8s.io");
    private static final KindStrategy V1 = Kinds.of("horizontalpodautoscalers.autoscaling", "v1");
    private static final KindStrategy V2 = Kinds.of("horizontalpodautoscalers.autoscaling", "v2");

    private static Map<String, @Nullable Object> created(String resource, String name) {
        for (Object pair : Json.asArray(FactTableSource.load("defaults.json").get("pairs"))) {
            if (Json.string(pair, "resource").equals(resource)
                    && Json.string(pair, "created", "metadata", "name").equals(name)) {
                return Json.copyObject(Json.asObject(Json.at(pair, "created")));
            }
        }
        throw new AssertionError(resource + " " + name);
    }

    @Test
    void eventsAreConvertedToTheOtherGroupAndBack() {
        Map<String, @Nullable Object> core = created("v1/events", "ev1");
        Map<String, @Nullable Object> event = Json.copyObject(core);
        EVENTS.convert(event);
        assertThat(event).containsEntry("apiVersion", "events.k8s.io/v1").containsKey("regarding");
        assertThat(event).doesNotContainKeys("involvedObject", "message", "reportingComponent");
        CORE.convert(event);
        assertThat(event).isEqualTo(core);

        Map<String, @Nullable Object> other = created("events.k8s.io/v1/events", "ev2");
        Map<String, @Nullable Object> stored = Json.copyObject(other);
        CORE.convert(stored);
        EVENTS.convert(stored);
        assertThat(stored).isEqualTo(other);
    }

    @Test
    void autoscalersAreConvertedToTheOtherVersionAndBack() {
        Map<String, @Nullable Object> v1 = created("autoscaling/v1/horizontalpodautoscalers", "h3");
        Map<String, @Nullable Object> converted = Json.copyObject(v1);
        V2.convert(converted);
        assertThat(Json.text(Json.at(converted, "spec", "metrics")))
                .isEqualTo("[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"target\":"
                        + "{\"type\":\"Utilization\",\"averageUtilization\":80}}}]");
        V1.convert(converted);
        assertThat(converted).isEqualTo(v1);

        Map<String, @Nullable Object> v2 = created("autoscaling/v2/horizontalpodautoscalers", "h2");
        Map<String, @Nullable Object> there = Json.copyObject(v2);
        V1.convert(there);
        assertThat(Trees.object(there, "spec")).doesNotContainKeys("metrics", "behavior");
        assertThat(Trees.object(there, "metadata", "annotations")).hasSize(2);
        V2.convert(there);
        assertThat(there).isEqualTo(v2);
    }
}
