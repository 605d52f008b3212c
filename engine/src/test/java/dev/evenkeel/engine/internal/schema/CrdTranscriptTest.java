package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The recorded life of definitions and of objects under them, as far as pure functions can follow it. */
class CrdTranscriptTest {
    private static final JsonLimits LIMITS = JsonLimits.DEFAULT;
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final Definitions cluster = new Definitions();
    private final Map<String, JsonObject> objects = new LinkedHashMap<>();
    private final List<String> differences = new ArrayList<>();
    private int compared;

    @Test
    void definitionsAndTheirObjectsBehaveAsRecorded() {
        for (String line : Recordings.lines("crd")) {
            replay(Json.asObject(Json.parse(line.getBytes(StandardCharsets.UTF_8), LIMITS, path -> {})));
        }
        System.out.printf("crd transcript: %d of %d equal%n", compared - differences.size(), compared);
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(120);
    }

    private void replay(JsonObject record) {
        String method = record.string("request", "method");
        String path = record.string("request", "path");
        String name = record.string("id") + " " + record.string("what");
        JsonObject recorded = record.object("body");
        boolean scale = path.endsWith("/scale");
        if (path.startsWith(DEFINITIONS) && !scale) {
            switch (method) {
                case "POST" -> createDefinition(name, path, record, recorded);
                case "GET" -> readDefinition(name, path, record, recorded);
                case "PATCH" -> patchDefinition(name, path, record, recorded);
                case "DELETE" -> {
                    JsonObject crd = cluster.crds.get(lastPart(path));
                    Crds.markForDeletion(crd, Definitions.NOW);
                    compare(name, status(recorded), status(crd));
                    compare(name, recorded.at("metadata", "finalizers"), crd.at("metadata", "finalizers"));
                }
                default -> {}
            }
        } else if (path.contains("/namespaces/crd-a/") && !scale) {
            switch (method) {
                case "POST" -> create(name, path, record, recorded);
                case "PATCH" -> patch(name, path, record, recorded);
                default -> {}
            }
        }
    }

    private void createDefinition(String name, String path, JsonObject record, JsonObject recorded) {
        JsonObject crd = record.object("request", "body").copy();
        crd.object("spec").remove("foo"); // unknown fields of definitions are the decoder's business
        Crds.prepareForCreate(crd);
        List<FieldError> errors = Crds.validate(crd, null);
        compare(name, withoutRules(recorded), RecordedAnswer.causes(errors));
        if (record.integer("status") == 201) {
            compare(name, recorded.get("spec"), crd.get("spec"));
            compare(name, recorded.get("status"), crd.get("status"));
            List<String> warnings = record.strings("headers", "Warning").stream()
                    .filter(text -> !text.contains("unknown field"))
                    .toList();
            compare(name + " warnings", warnings, quoted(Crds.warnings(crd, null)));
            if (!path.contains("dryRun")) {
                cluster.put(crd);
            }
        }
    }

    /** Causes about rules that do not compile, or cost too much. */
    private static List<String> withoutRules(JsonObject recorded) {
        return RecordedAnswer.causes(recorded, Set.of()).stream()
                .filter(text -> !text.contains("rule cost")
                        && !text.contains("compilation failed")
                        && !text.contains("must evaluate to a bool")
                        && !text.contains("oldSelf"))
                .toList();
    }

    private void readDefinition(String name, String path, JsonObject record, JsonObject recorded) {
        JsonObject crd = cluster.crds.get(lastPart(path));
        if (record.integer("status") == 200 && crd != null) {
            compare(name, status(recorded), status(crd));
        }
    }

    private void patchDefinition(String name, String path, JsonObject record, JsonObject recorded) {
        boolean onlyStatus = path.endsWith("/status");
        JsonObject old = Objects.requireNonNull(cluster.crds.get(lastPart(path.replace("/status", ""))));
        JsonObject crd = patched(old, record, Schema.ANY);
        List<FieldError> errors;
        if (onlyStatus) {
            Crds.prepareForStatusUpdate(crd, old);
            errors = Crds.validateStatus(crd, old);
        } else {
            Crds.prepareForUpdate(crd, old);
            errors = Crds.validate(crd, old);
        }
        compare(name, withoutRules(recorded), RecordedAnswer.causes(errors));
        if (record.integer("status") == 200) {
            compare(name, recorded.get("spec"), crd.get("spec"));
            compare(name, status(recorded), status(crd));
            cluster.put(crd);
        }
    }

    private void create(String name, String path, JsonObject record, JsonObject recorded) {
        ObjectSchema schema = cluster.served(path).schema();
        JsonObject object = record.object("request", "body").copy();
        List<String> unknown;
        try {
            unknown = schema.prune(object);
        } catch (MalformedObjectException e) {
            compare(
                    name,
                    recorded.get("message"),
                    "Key in version \"v1\" cannot be handled as a Key: " + e.getMessage());
            return;
        }
        if (record.integer("status") == 403) {
            return;
        }
        schema.applyDefaults(object);
        object.object("metadata").put("namespace", "crd-a");
        List<String> causes = RecordedAnswer.causes(schema.validate(object));
        List<String> expected = RecordedAnswer.causes(recorded, ruleMessages());
        compare(
                name,
                expected.stream().sorted().toList(),
                causes.stream().sorted().toList());
        compare(
                name + " warnings",
                record.strings("headers", "Warning"),
                quoted(unknown.stream()
                        .map(field -> "unknown field \"" + field + "\"")
                        .toList()));
        if (record.integer("status") == 201) {
            compare(name, RecordedAnswer.comparable(recorded), RecordedAnswer.comparable(object));
            if (!path.contains("dryRun")) {
                objects.put(path.replaceFirst("/v[^/]*/", "/*/") + "/" + object.string("metadata", "name"), object);
            }
        }
    }

    /** The messages of rules, and the one that is computed. */
    private Set<String> ruleMessages() {
        Set<String> messages = RecordedAnswer.ruleMessages(new ArrayList<>(cluster.crds.values()));
        messages.add(" must start with n");
        return messages;
    }

    private void patch(String name, String path, JsonObject record, JsonObject recorded) {
        boolean onlyStatus = path.endsWith("/status");
        String key = path.replace("/status", "").replaceFirst("/v[^/]*/", "/*/");
        Definitions.Served served = cluster.served(path);
        ResourceType type = served.type();
        ResourceType.Version version = served.version();
        ObjectSchema schema = served.schema();
        JsonObject old = Objects.requireNonNull(objects.get(key)).copy();
        old.put("apiVersion", type.apiVersion(version));
        schema.prune(old);
        schema.applyDefaults(old);
        JsonObject object = patched(old, record, version.schema());
        schema.prune(object);
        schema.applyDefaults(object);
        List<FieldError> errors = onlyStatus ? schema.validateStatus(object, old) : schema.validateUpdate(object, old);
        compare(name, RecordedAnswer.causes(recorded, ruleMessages()), RecordedAnswer.causes(errors));
        if (record.integer("status") == 200) {
            objects.put(key, object);
        }
    }

    private static JsonObject patched(JsonObject old, JsonObject record, Schema schema) {
        String contentType = record.string("request", "headers", "Content-Type");
        Patch.Type patch = contentType.contains("json-patch") ? Patch.Type.JSON : Patch.Type.MERGE;
        return Json.asObject(
                Patches.apply(patch, old.copy(), Json.write(record.at("request", "body")), schema, LIMITS, text -> {})
                        .tree());
    }

    private static @Nullable Object status(@Nullable JsonObject crd) {
        Object status = RecordedAnswer.sorted(Json.at(crd, "status"));
        if (Json.at(status, "conditions") instanceof List<?> list) {
            list.forEach(condition -> Json.asObject(condition).remove("lastTransitionTime"));
        }
        return status;
    }

    private static String lastPart(String path) {
        String plain = path.replaceFirst("\\?.*", "");
        return plain.substring(plain.lastIndexOf('/') + 1);
    }

    private static List<String> quoted(List<String> warnings) {
        return warnings.stream()
                .map(text -> "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .toList();
    }

    private void compare(String name, @Nullable Object expected, @Nullable Object actual) {
        compared++;
        Object a = RecordedAnswer.sorted(expected);
        Object b = RecordedAnswer.sorted(actual);
        if (!Objects.equals(a, b)) {
            differences.add(name + "\n  expected " + a + "\n  but was  " + b);
        }
    }
}
