package dev.evenkeel.server.internal.openapi;

import static dev.evenkeel.server.Fixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.Fixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
    private static final Fixture FIXTURE = Fixture.insecure();

    private static final String GADGETS = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"gadgets.texts.example.com"},
             "spec":{"group":"texts.example.com","scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},
              "versions":[{"name":"v1","served":true,"storage":true,"selectableFields":[{"jsonPath":".spec.colour"}],
               "schema":{"openAPIV3Schema":{"type":"object","description":"A gadget.","properties":{
                 "spec":{"type":"object","properties":{"colour":{"type":"string","description":"its colour"},
                   "inner":{"type":"object","x-kubernetes-embedded-resource":true,
                     "x-kubernetes-preserve-unknown-fields":true}}}}}}}]}}""";

    @AfterAll
    static void stop() {
        FIXTURE.close();
    }

    @Test
    void builtInKindsAreDescribed() {
        JsonObject pod = schemas("api/v1").object("io.k8s.api.core.v1.Pod");
        assertThat(pod.string("description")).startsWith("Pod is a collection of containers");
        // a reference has its description beside it
        assertThat(pod.string("properties", "spec", "description")).startsWith("Specification of the desired behavior");
        assertThat(pod.array("properties", "spec", "allOf")).hasSize(1);
        assertThat(schemas("api/v1").string("io.k8s.api.core.v1.Volume", "properties", "emptyDir", "description"))
                .startsWith("emptyDir represents a temporary directory");
        assertThat(schemas("api/v1")
                        .string("io.k8s.api.core.v1.ContainerPort", "properties", "protocol", "description"))
                .contains("\n\nPossible enum values:\n - `\"SCTP\"`");
    }

    @Test
    void nearlyAllDescriptionsAreThoseOfKubernetes() throws IOException {
        Path file = SharedData.of("kubernetes-1.36/openapi.json.gz");
        Map<String, String> recorded = new TreeMap<>();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            JsonObject document =
                    Json.parseObject(in.readAllBytes(), new JsonLimits(64 << 20, 500, 64 << 20, 1000, 50));
            texts(document.object("definitions"), recorded);
        }
        Map<String, String> served = new TreeMap<>();
        for (String path : tree(FIXTURE.get("/openapi/v3")).object("paths").keySet()) {
            if (!path.contains("example.com")) {
                texts(schemas(path), served);
            }
        }
        List<String> other = new ArrayList<>();
        int missing = 0;
        int equal = 0;
        for (Map.Entry<String, String> text : recorded.entrySet()) {
            String own = served.get(text.getKey());
            if (own == null) {
                missing++;
                other.add(text.getKey());
            } else if (own.equals(text.getValue())) {
                equal++;
            }
        }
        assertThat(equal)
                .as("equal descriptions of %d; missing: %s", recorded.size(), other)
                .isGreaterThan(recorded.size() * 95 / 100);
        assertThat(missing).as("missing: %s", other).isLessThan(recorded.size() / 100);
    }

    private static void texts(JsonObject definitions, Map<String, String> found) {
        definitions.forEach((name, definition) -> {
            add(name, definition, found);
            JsonObject properties =
                    Json.object(Json.at(definition, "properties")).orElseGet(JsonObject::new);
            properties.forEach((field, property) -> add(name + "#" + field, property, found));
        });
    }

    private static void add(String name, Object schema, Map<String, String> found) {
        String text = Json.string(schema, "description");
        if (!text.isEmpty()) {
            found.put(name, text);
        }
    }

    @Test
    void customResourcesHaveTheTextsOfAllKindsAndTheirSelectableFields() {
        assertThat(FIXTURE.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", GADGETS)
                        .statusCode())
                .isEqualTo(201);
        JsonObject schemas = schemas("apis/texts.example.com/v1");
        JsonObject gadget = schemas.object("com.example.texts.v1.Gadget");
        assertThat(gadget.string("description")).isEqualTo("A gadget.");
        assertThat(gadget.string("properties", "kind", "description")).startsWith("Kind is a string value");
        assertThat(gadget.string("properties", "apiVersion", "description")).startsWith("APIVersion defines");
        assertThat(gadget.string("properties", "metadata", "description")).startsWith("Standard object's metadata.");
        assertThat(gadget.array("properties", "metadata", "allOf")).hasSize(1);
        assertThat(gadget.array("x-kubernetes-selectable-fields"))
                .containsExactly(JsonObject.of("fieldPath", "spec.colour"));
        JsonObject inner = gadget.object("properties", "spec", "properties", "inner");
        assertThat(inner.array("required")).containsExactly("apiVersion", "kind");
        assertThat(inner.string("properties", "kind", "type")).isEqualTo("string");
        JsonObject list = schemas.object("com.example.texts.v1.GadgetList");
        assertThat(list.string("description")).isEqualTo("GadgetList is a list of Gadget");
        assertThat(list.string("properties", "items", "description")).startsWith("List of gadgets. More info: ");
        assertThat(list.array("x-kubernetes-selectable-fields")).hasSize(1);

        JsonObject old = tree(FIXTURE.get("/openapi/v2")).object("definitions");
        assertThat(old.array("com.example.texts.v1.Gadget", "x-kubernetes-selectable-fields"))
                .hasSize(1);
        assertThat(old.string("io.k8s.api.core.v1.Pod", "properties", "spec", "$ref"))
                .isNotEmpty();
        assertThat(old.string("io.k8s.api.core.v1.Pod", "properties", "spec", "description"))
                .isNotEmpty();
    }

    private static JsonObject schemas(String path) {
        String url = tree(FIXTURE.get("/openapi/v3")).string("paths", path, "serverRelativeURL");
        return tree(FIXTURE.get(url)).object("components", "schemas");
    }
}
