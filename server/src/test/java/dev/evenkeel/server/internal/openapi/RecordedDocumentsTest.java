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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** OpenAPI documents, compared with those that a kube-apiserver published. */
class RecordedDocumentsTest {
    private static final JsonLimits LARGE = new JsonLimits(64 << 20, 500, 64 << 20, 1000, 50);

    /**
     * Descriptions are compared elsewhere, required fields are sorted here, unions and the default type of maps are not
     * published, the record has only one of the kinds that are registered everywhere, and one reference has no description.
     */
    private static final Pattern IGNORED = Pattern.compile(
            "/description: |APIServiceSpec/properties/service/|/required\\[|-unions: |expected granular|"
                    + "\\.(DeleteOptions|WatchEvent)/.*-kind: ");

    private static final Fixture FIXTURE = Fixture.insecure();

    @AfterAll
    static void stop() {
        FIXTURE.close();
    }

    @Test
    void theDocumentOfACustomResourceIsAsRecorded() throws IOException {
        Map<String, JsonObject> records = new HashMap<>();
        try (Stream<String> lines = Files.lines(SharedData.of("transcripts/discovery-openapi.jsonl"))) {
            lines.map(line -> Json.parseObject(line.getBytes(StandardCharsets.UTF_8), LARGE))
                    .forEach(each -> records.put(each.string("id"), each));
        }
        JsonObject definition = records.get("discovery-openapi-001").object("request", "body");
        assertThat(FIXTURE.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Json.text(definition))
                        .statusCode())
                .isEqualTo(201);
        JsonObject served = tree(FIXTURE.get("/openapi/v3/apis/disc.example.com/v1"));
        List<String> differences =
                differences("", records.get("discovery-openapi-032").object("body"), served);
        // changed between the releases from which the texts and the record are
        differences.removeIf(each -> each.contains("v1.Scale/properties/metadata/description"));
        assertThat(differences).isEmpty();
    }

    @Test
    void operationsOnBuiltInKindsAreAsRecorded() throws IOException {
        JsonObject recorded = recorded();
        List<String> differences = new ArrayList<>();
        JsonObject documents = recorded.object("v3");
        int all = 0;
        int equal = 0;
        for (String name : documents.keySet()) {
            JsonObject served = document(name);
            JsonObject paths = documents.object(name, "paths");
            for (String path : paths.keySet()) {
                List<String> found = differences(path, paths.get(path), served.at("paths", path));
                all++;
                equal += found.isEmpty() ? 1 : 0;
                differences.addAll(found);
            }
            Set<String> more = new TreeSet<>(served.object("paths").keySet());
            more.removeAll(paths.keySet());
            assertThat(more).as("only served").isEmpty();
        }
        assertThat(equal).as("of %d: %s", all, differences).isEqualTo(all);
    }

    @Test
    void builtInDefinitionsAreAsRecorded() throws IOException {
        Map<String, Object> served = new HashMap<>();
        for (String name : tree(FIXTURE.get("/openapi/v3")).object("paths").keySet()) {
            if (!name.contains("example.com")) {
                served.putAll(tree(FIXTURE.get("/openapi/v3/" + name)).object("components", "schemas"));
            }
        }
        List<String> differences = new ArrayList<>();
        recorded()
                .object("definitions")
                .forEach((name, definition) -> differences.addAll(differences(name, definition, served.get(name))));
        differences.removeIf(each -> IGNORED.matcher(each).find());
        assertThat(differences).isEmpty();
    }

    @Test
    void versionTwoNamesOperationsAndSharedParametersAsRecorded() throws IOException {
        JsonObject served = tree(FIXTURE.get("/openapi/v2"));
        List<String> differences = new ArrayList<>();
        JsonObject recorded = recorded().object("v2", "pathsSummary");
        for (String path : recorded.keySet()) {
            if (!path.contains("openid")) {
                JsonObject item = recorded.object(path);
                item.keySet()
                        .forEach(method -> item.object(method).forEach((member, value) -> {
                            Object own = served.at("paths", path, method, member);
                            differences.addAll(differences(path + " " + method + " " + member, value, own));
                        }));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(served.object("parameters").keySet())
                .contains("namespace-vgWSWtn3", "watch-XNNPZGbK", "force-tOGGb0Yi", "body-2Y1dVQaQ");
    }

    /** Returns a served document, or one that only a server with tokens serves. */
    private static JsonObject document(String name) {
        return name.contains("openid")
                ? JsonObject.of(
                        "paths",
                        OpenApiPaths.of(List.of(Routes.roots(true).get(name)), new OpenApiSchemas(OpenApiSchemas.V3)))
                : tree(FIXTURE.get("/openapi/v3/" + name));
    }

    static JsonObject recorded() throws IOException {
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(SharedData.of("kubernetes-1.36/openapi.json.gz")))) {
            return Json.parseObject(in.readAllBytes(), LARGE);
        }
    }

    /** Returns the places where two trees differ, with what is there. */
    private static List<String> differences(String place, Object expected, Object actual) {
        List<String> all = new ArrayList<>();
        if (expected instanceof JsonObject left && actual instanceof JsonObject right) {
            Set<String> names = new TreeSet<>(left.keySet());
            names.addAll(right.keySet());
            names.forEach(name -> all.addAll(differences(place + "/" + name, left.get(name), right.get(name))));
        } else if (expected instanceof List<?> left && actual instanceof List<?> right && left.size() == right.size()) {
            for (int i = 0; i < left.size(); i++) {
                all.addAll(differences(place + "[" + i + "]", left.get(i), right.get(i)));
            }
        } else if (!java.util.Objects.equals(expected, actual)) {
            all.add(place + ": expected " + expected + " but was " + actual);
        }
        return all;
    }
}
