package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BootstrapObjectsTest {
    @Test
    void matchARecordingOfAFreshServer() {
        JsonObject recorded = FactTableSource.load("bootstrap.json").object("objects");
        List<JsonObject> objects = new ArrayList<>(BootstrapObjects.all());
        BootstrapRoles.all().stream()
                .filter(object -> object.string("kind").equals("ClusterRole"))
                .forEach(objects::add);
        int compared = 0;
        for (JsonObject object : objects) {
            String key = switch (object.string("kind")) {
                case "Namespace" -> "v1/namespaces";
                case "Service" -> "v1/services";
                case "ClusterRole" -> "rbac.authorization.k8s.io/v1/clusterroles";
                default -> "scheduling.k8s.io/v1/priorityclasses";
            };
            String id = key.startsWith("v1/")
                    ? key.substring(3)
                    : key.substring(key.lastIndexOf('/') + 1) + "." + key.substring(0, key.indexOf('/'));
            JsonObject expected = recorded.array(key).stream()
                    .filter(o -> Json.string(o, "metadata", "name").equals(object.string("metadata", "name")))
                    .map(Json::asObject)
                    .findFirst()
                    .orElse(null);
            if (expected == null) {
                // of some roles only the name was recorded
                assertThat(recorded.array(key))
                        .anyMatch(o -> Json.string(o, "name").equals(object.string("metadata", "name")));
                continue;
            }
            compared++;
            Kinds.read(id, object);
            KindStrategy strategy = Kinds.of(id);
            strategy.prepareForCreate(object, Kinds.CONTEXT);
            assertThat(Kinds.errors(strategy, object)).isEmpty();
            object.remove("apiVersion");
            object.remove("kind");
            expected.object("metadata").remove("generation");
            for (var tree : List.of(object, expected)) {
                tree.objects("spec", "ports").forEach(port -> port.remove("targetPort"));
            }
            assertThat(object).isEqualTo(expected);
        }
        assertThat(compared).isEqualTo(17);
    }

    @Test
    void apiServicesHaveTheRecordedPriorities() {
        List<JsonObject> recorded =
                FactTableSource.load("bootstrap.json").objects("objects", "apiregistration.k8s.io/v1/apiservices");
        List<JsonObject> found = new ArrayList<>();
        for (JsonObject api : LocalApiServices.builtIn()) {
            assertThat(Kinds.errors(Kinds.of("apiservices.apiregistration.k8s.io"), api))
                    .isEmpty();
            found.add(JsonObject.of("name", api.string("metadata", "name"))
                    .set("groupPriorityMinimum", api.object("spec").get("groupPriorityMinimum"))
                    .set("versionPriority", api.object("spec").get("versionPriority")));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(recorded);
    }
}
