package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Definitions and objects of public projects get the verdicts that kube-apiserver gave. Rules are left out of account. */
class CorpusTest {
    private static final JsonLimits LIMITS = JsonLimits.DEFAULT;

    private final Definitions cluster = new Definitions();
    private final List<String> differences = new ArrayList<>();
    private final Set<String> ruleMessages = new java.util.HashSet<>();
    private int compared;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cert-manager",
                "cloudnative-pg",
                "flux-source-controller",
                "gateway-api",
                "prometheus-operator",
                "strimzi"
            })
    void definitionsAndObjectsGetTheRecordedResults(String project) throws IOException {
        Path root = SharedData.of("crds/" + project);
        try (Stream<String> lines = Files.lines(root.resolve("verdicts.jsonl"))) {
            lines.map(line -> Json.asObject(
                            Json.parse(line.getBytes(java.nio.charset.StandardCharsets.UTF_8), LIMITS, p -> {})))
                    .forEach(record -> replay(root, record));
        }
        System.out.printf("corpus %s: %d of %d equal%n", project, compared - differences.size(), compared);
        assertThat(differences).isEmpty();
    }

    @Test
    void everyDefinitionIsValidAndCompiles() throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(SharedData.of("crds"))) {
            files = tree.filter(file -> file.toString().contains("/crds/")
                            && file.toString().endsWith(".yaml"))
                    .filter(file -> file.getParent().endsWith("crds"))
                    .toList();
        }
        for (Path file : files) {
            JsonObject crd = read(file);
            Crds.prepareForCreate(crd);
            assertThat(Definitions.texts(Crds.validate(crd, null)))
                    .as(file.toString())
                    .isEmpty();
            ResourceType type = Crds.resourceType(crd);
            assertThat(type.versions())
                    .allSatisfy(version ->
                            assertThat(ObjectSchema.of(type, version)).isNotNull());
        }
        assertThat(files).hasSizeGreaterThan(50);
    }

    private void replay(Path root, JsonObject record) {
        String method = record.string("request", "method");
        String path = record.string("request", "path");
        Path file = root.resolve(record.string("file"));
        String name = root.getFileName() + "/" + record.string("file") + " " + method + " " + path;
        if (path.contains("/customresourcedefinitions")) {
            definition(name, method, file, record);
        } else if (method.equals("POST")) {
            create(name, path, file, record);
        } else if (method.equals("PATCH") && !path.contains("/scale")) {
            patch(name, root, path, file, record);
        }
    }

    private void definition(String name, String method, Path file, JsonObject record) {
        JsonObject recorded = record.object("body");
        if (method.equals("POST")) {
            JsonObject crd = read(file);
            Crds.prepareForCreate(crd);
            compare(name, RecordedAnswer.causes(recorded, Set.of()), RecordedAnswer.causes(Crds.validate(crd, null)));
            compare(name + " names", recorded.at("spec", "names"), crd.at("spec", "names"));
            compare(name + " warnings", warnings(record), quoted(Crds.warnings(crd, null)));
            cluster.put(crd);
            ruleMessages.addAll(RecordedAnswer.ruleMessages(crd));
        } else {
            JsonObject crd = cluster.crds.get(recorded.string("metadata", "name"));
            compare(name + " status", status(recorded), status(crd));
        }
    }

    /** Conditions by type, without their times. */
    private static @Nullable Object status(JsonObject crd) {
        JsonObject status = crd.object("status").copy();
        List<String> conditions = new ArrayList<>();
        if (status.get("conditions") instanceof List<?> list) {
            for (Object condition : list) {
                Json.asObject(condition).remove("lastTransitionTime");
                conditions.add(String.valueOf(RecordedAnswer.sorted(condition)));
            }
        }
        Collections.sort(conditions);
        status.put("conditions", conditions);
        return RecordedAnswer.sorted(status);
    }

    private void create(String name, String path, Path file, JsonObject record) {
        Definitions.Served served = cluster.served(path);
        ResourceType.Version version = served.version();
        ObjectSchema schema = served.schema();
        JsonObject recorded = record.object("body");
        List<String> duplicates = new ArrayList<>();
        JsonObject object;
        try {
            object = file.toString().endsWith(".json") ? json(file, duplicates) : read(file);
        } catch (JsonException e) {
            return; // the decoder's business
        }
        String message = recorded.string("message");
        boolean refusedBefore = record.integer("status") == 400 && !message.contains("strict decoding error");
        boolean badOption = message.startsWith("CreateOptions");
        if (refusedBefore || badOption) {
            return;
        }
        List<String> unknown = new ArrayList<>();
        duplicates.forEach(field -> unknown.add("duplicate field \"" + field + "\""));
        schema.prune(object).forEach(field -> unknown.add("unknown field \"" + field + "\""));
        if (message.contains("strict decoding error: ")) {
            compare(
                    name,
                    message.substring(message.indexOf("strict decoding error: ") + 23),
                    String.join(", ", unknown));
            return;
        }
        List<String> warnings = new ArrayList<>(unknown);
        if (!version.deprecation().isEmpty()) {
            warnings.add(version.deprecation());
        }
        schema.applyDefaults(object);
        object.computeIfAbsent("metadata", unused -> new JsonObject());
        JsonObject meta = object.object("metadata");
        if (path.contains("/namespaces/")) {
            meta.put("namespace", path.split("/")[5]);
        }
        if (meta.get("generateName") instanceof String prefix && meta.get("name") == null) {
            meta.put("name", prefix + "abcde");
        }
        if (version.status()) {
            object.remove("status");
            schema.applyDefaults(object); // objects are shown with defaults, also of what they may not set
        }
        List<String> causes = RecordedAnswer.causes(schema.validate(object));
        List<String> expected = RecordedAnswer.causes(recorded, ruleMessages);
        if (Boolean.TRUE.equals(record.get("unordered"))) {
            expected = expected.stream().sorted().toList();
            causes = causes.stream().sorted().toList();
        }
        compare(name, expected, causes);
        if (!path.contains("fieldValidation=Ignore")) {
            warnings.addAll(schema.warnings(object, null));
            compare(name + " warnings", warnings(record), quoted(warnings));
        }
        if (record.integer("status") == 201) {
            compare(name + " object", suffix(RecordedAnswer.comparable(recorded)), RecordedAnswer.comparable(object));
        }
    }

    private static @Nullable Object suffix(@Nullable Object recorded) {
        Json.object(Json.at(recorded, "metadata"))
                .ifPresent(meta -> meta.computeIfPresent(
                        "name", (unused, name) -> String.valueOf(name).replace("<suffix>", "abcde")));
        return recorded;
    }

    private void patch(String name, Path root, String path, Path file, JsonObject record) {
        Definitions.Served served = cluster.served(path);
        ResourceType.Version version = served.version();
        ObjectSchema schema = served.schema();
        JsonObject recorded = record.object("body");
        JsonObject old = read(root.resolve(record.string("setup")));
        old.remove("status");
        schema.prune(old);
        schema.applyDefaults(old);
        if (path.contains("/namespaces/")) {
            old.object("metadata").put("namespace", path.split("/")[5]);
        }
        JsonObject object = Json.asObject(
                Patches.apply(Patch.Type.MERGE, old.copy(), bytes(file), version.schema(), LIMITS, text -> {})
                        .tree());
        schema.prune(object);
        schema.applyDefaults(object);
        List<FieldError> errors;
        if (path.contains("/status")) {
            JsonObject written = old.copy();
            written.put("status", object.get("status"));
            object = written;
            errors = schema.validateStatus(object, old);
        } else {
            errors = schema.validateUpdate(object, old);
        }
        compare(name, RecordedAnswer.causes(recorded, ruleMessages), RecordedAnswer.causes(errors));
        if (record.integer("status") == 200) {
            compare(name + " object", RecordedAnswer.comparable(recorded), RecordedAnswer.comparable(object));
        }
    }

    private static List<String> warnings(JsonObject record) {
        return record.strings("warnings");
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
        if (!java.util.Objects.equals(a, b)) {
            differences.add(name + "\n  expected " + a + "\n  but was  " + b);
        }
    }

    private static JsonObject json(Path file, List<String> duplicates) {
        return Json.asObject(Json.parse(bytes(file), LIMITS, duplicates::add));
    }

    private static JsonObject read(Path file) {
        Object tree = new Load(LoadSettings.builder().setCodePointLimit(8 << 20).build())
                .loadFromString(new String(bytes(file), java.nio.charset.StandardCharsets.UTF_8));
        return Json.asObject(Json.parse(Json.write(strings(tree)), LIMITS, path -> {}));
    }

    private static @Nullable Object strings(@Nullable Object tree) {
        return switch (tree) {
            case Map<?, ?> map -> {
                JsonObject copy = new JsonObject();
                map.forEach((key, value) -> copy.put(String.valueOf(key), strings(value)));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(value -> copy.add(strings(value)));
                yield copy;
            }
            case null, default -> tree;
        };
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
