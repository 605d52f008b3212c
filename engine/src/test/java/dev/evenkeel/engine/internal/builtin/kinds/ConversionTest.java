package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.junit.jupiter.api.Test;

class ConversionTest {
    private static final KindStrategy CORE = Kinds.of("events");
    private static final KindStrategy EVENTS = Kinds.of("events.events.k8s.io");
    private static final KindStrategy V1 = Kinds.of("horizontalpodautoscalers.autoscaling", "v1");
    private static final KindStrategy V2 = Kinds.of("horizontalpodautoscalers.autoscaling", "v2");

    private static JsonObject created(String resource, String name) {
        for (Object pair : FactTableSource.load("defaults.json").array("pairs")) {
            if (Json.string(pair, "resource").equals(resource)
                    && Json.string(pair, "created", "metadata", "name").equals(name)) {
                return Json.asObject(Json.at(pair, "created")).copy();
            }
        }
        throw new AssertionError(resource + " " + name);
    }

    @Test
    void eventsAreConvertedToTheOtherGroupAndBack() {
        JsonObject core = created("v1/events", "ev1");
        JsonObject event = core.copy();
        EVENTS.convert(event);
        assertThat(event).containsEntry("apiVersion", "events.k8s.io/v1").containsKey("regarding");
        assertThat(event).doesNotContainKeys("involvedObject", "message", "reportingComponent");
        CORE.convert(event);
        assertThat(event).isEqualTo(core);

        JsonObject other = created("events.k8s.io/v1/events", "ev2");
        JsonObject stored = other.copy();
        CORE.convert(stored);
        EVENTS.convert(stored);
        assertThat(stored).isEqualTo(other);
    }

    @Test
    void autoscalersAreConvertedToTheOtherVersionAndBack() {
        JsonObject v1 = created("autoscaling/v1/horizontalpodautoscalers", "h3");
        JsonObject converted = v1.copy();
        V2.convert(converted);
        assertThat(Json.text(converted.at("spec", "metrics")))
                .isEqualTo("[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"target\":"
                        + "{\"type\":\"Utilization\",\"averageUtilization\":80}}}]");
        V1.convert(converted);
        assertThat(converted).isEqualTo(v1);

        JsonObject v2 = created("autoscaling/v2/horizontalpodautoscalers", "h2");
        JsonObject there = v2.copy();
        V1.convert(there);
        assertThat(there.object("spec")).doesNotContainKeys("metrics", "behavior");
        assertThat(there.object("metadata", "annotations")).hasSize(2);
        V2.convert(there);
        assertThat(there).isEqualTo(v2);
    }
}
