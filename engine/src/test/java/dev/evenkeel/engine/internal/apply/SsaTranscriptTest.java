package dev.evenkeel.engine.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Sends the recorded requests of the server-side apply scenario through {@link FieldOwnership} and compares ownership and
 * refusals with what kube-apiserver answered. Decoding, defaulting and validation are only hinted at here.
 */
class SsaTranscriptTest {
    private static final Pattern PATH = Pattern.compile(
            "/apis?/(?:([^/]+)/)?(v1)/namespaces/ssa-a/([a-z]+)(?:/([^/?]+))?(?:/([a-z]+))?(?:\\?(.*))?");
    private static final Set<String> OURS = Set.of("Apply failed", "failed to create typed", "metadata.managedFields");

    private final Map<String, JsonObject> objects = new HashMap<>();
    private @Nullable Schema widgets;
    private Instant now = Instant.parse("2026-11-20T22:00:00Z");

    @Test
    void answersAsRecorded() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (String line : Recordings.lines("ssa")) {
            now = now.plusSeconds(1);
            JsonObject exchange = object(line);
            String difference = replay(exchange);
            if (difference != null) {
                compared++;
                if (!difference.isEmpty()) {
                    differences.add(exchange.string("id") + " " + exchange.string("what") + ": " + difference);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(90);
    }

    /** Returns null when the exchange is not part of the test, empty when it went as recorded. */
    private @Nullable String replay(JsonObject exchange) {
        JsonObject request = exchange.object("request");
        long status = exchange.integer("status");
        Object answer = exchange.get("body");
        if (request.string("body", "kind").equals("CustomResourceDefinition")) {
            widgets = SchemaText.object(Json.asObject(
                    Json.at(request.array("body", "spec", "versions").getFirst(), "schema", "openAPIV3Schema")));
            return null;
        }
        Matcher matcher = PATH.matcher(request.string("path"));
        if (!matcher.matches()) {
            return null;
        }
        boolean ours = OURS.stream().anyMatch(Json.string(answer, "message")::startsWith);
        boolean valid = request.get("body") instanceof Map<?, ?> || request.get("body") instanceof List<?>;
        if (request.string("method").equals("GET")) {
            JsonObject stored = objects.get(matcher.group(3) + "/" + matcher.group(4));
            return stored == null || status != 200 ? null : difference(stored, answer);
        }
        if (!valid || (status > 299 && !ours)) {
            return null;
        }
        Map<String, String> query = new HashMap<>();
        if (matcher.group(6) != null) {
            for (String parameter : matcher.group(6).split("&", -1)) {
                query.put(parameter.replaceAll("=.*", ""), parameter.replaceAll(".*=", ""));
            }
        }
        String plural = matcher.group(3);
        String subresource = Optional.ofNullable(matcher.group(5)).orElse("");
        String group = Optional.ofNullable(matcher.group(1)).orElse("");
        String name = Optional.ofNullable(matcher.group(4)).orElseGet(() -> request.string("body", "metadata", "name"));
        String agent = request.string("headers", "User-Agent");
        String manager =
                query.getOrDefault("fieldManager", agent.isEmpty() ? "replay" : agent.substring(0, agent.indexOf('/')));
        Endpoint endpoint = new Endpoint(group, plural, subresource);
        Optional<JsonObject> live =
                Optional.ofNullable(objects.get(plural + "/" + name)).map(JsonObject::copy);
        String type = request.string("headers", "Content-Type");
        if (subresource.equals("scale") && group.startsWith("ssa")) {
            return null;
        }
        try {
            JsonObject result = type.equals("application/apply-patch+yaml")
                    ? endpoint.apply(live, request.object("body"), manager, query.get("force"))
                    : endpoint.write(live, request.get("body"), type, manager);
            result.object("metadata").putIfAbsent("name", name);
            if (status > 299) {
                return "expected " + Json.text(answer) + " but it went through";
            }
            if (!query.containsKey("dryRun")) {
                objects.put(plural + "/" + name, result);
            }
            if (exchange.string("rv").equals("unchanged") && !query.containsKey("dryRun")) {
                assertThat(result).isEqualTo(live.orElseThrow());
            }
            return subresource.equals("scale") ? "" : difference(result, answer);
        } catch (ApiException e) {
            List<String> causes =
                    e.causes().stream().map(Status.Cause::toString).sorted().toList();
            List<String> expected = Json.at(answer, "details", "causes") instanceof List<?> list
                    ? list.stream()
                            .map(c -> new Status.Cause(
                                            Json.string(c, "reason"),
                                            Json.string(c, "message"),
                                            Json.string(c, "field"))
                                    .toString())
                            .sorted()
                            .toList()
                    : List.of();
            boolean same = e.code() == status
                    && e.reason().equals(Json.string(answer, "reason"))
                    && String.valueOf(e.getMessage()).equals(Json.string(answer, "message"))
                    && causes.equals(expected);
            return same ? "" : "expected\n  " + Json.text(answer) + "\n  but was\n  " + e.status();
        }
    }

    private final class Endpoint {
        private final String plural;
        private final String subresource;
        private final String definition;
        private final FieldOwnership ownership;
        private final FieldOwnership scale;

        Endpoint(String group, String plural, String subresource) {
            this.plural = plural;
            this.subresource = subresource;
            Schema schema;
            JsonObject blank;
            String apiVersion = group.isEmpty() ? "v1" : group + "/v1";
            List<String> reset;
            String kind;
            if (plural.equals("widgets")) {
                schema = java.util.Objects.requireNonNull(widgets);
                kind = "Widget";
                definition = "";
                blank = FieldOwnership.blank(apiVersion, kind);
                reset = subresource.equals("status") ? List.of("metadata", "spec") : List.of("status");
            } else {
                BuiltinResource resource =
                        BuiltinTypes.resource(group, "v1", plural).orElseThrow();
                definition = resource.definition();
                kind = resource.kind();
                schema = BuiltinTypes.schema(definition).orElseThrow();
                blank = FieldOwnership.blank(apiVersion, kind);
                BuiltinDecoder.normalize(blank, definition);
                reset = subresource.equals("status") ? resource.statusResetFields() : resource.resetFields();
            }
            ownership = new FieldOwnership(
                    apiVersion,
                    kind,
                    subresource,
                    blank,
                    reset,
                    version -> version.equals(apiVersion) ? Optional.of(schema) : Optional.empty(),
                    FieldOwnership.Conversion.NONE);
            scale = new FieldOwnership(
                    "autoscaling/v1",
                    "Scale",
                    "scale",
                    FieldOwnership.blank("autoscaling/v1", "Scale"),
                    List.of(),
                    version -> version.equals("autoscaling/v1")
                            ? BuiltinTypes.schema("io.k8s.api.autoscaling.v1.Scale")
                            : Optional.empty(),
                    FieldOwnership.Conversion.NONE);
        }

        JsonObject apply(Optional<JsonObject> live, JsonObject patch, String manager, @Nullable String force) {
            boolean forced = force != null && !force.equals("false");
            if (subresource.equals("scale")) {
                return scaled(
                        live.orElseThrow(),
                        current -> scale.apply(Optional.of(current), patch, manager, forced, now.toString())
                                .object());
            }
            FieldOwnership.Applied applied = ownership.apply(live, patch, manager, forced, now.toString());
            JsonObject result = finished(live, applied.object());
            if (!applied.changed()) {
                assertThat(result).isEqualTo(live.orElseThrow());
            }
            return result;
        }

        JsonObject write(Optional<JsonObject> live, @Nullable Object body, String type, String manager) {
            if (subresource.equals("scale")) {
                return scaled(live.orElseThrow(), current -> {
                    JsonObject object = current.copy();
                    object.put("spec", Json.at(body, "spec"));
                    set(object, scale.updated(Optional.of(current), object, manager, now.toString()));
                    return object;
                });
            }
            JsonObject object = switch (type) {
                case "application/merge-patch+json" -> Json.asObject(merged(live.orElseThrow(), Json.copy(body)));
                case "application/json-patch+json" -> patched(live.orElseThrow(), Json.asArray(body));
                default -> Json.asObject(body).copy();
            };
            object = finished(live, object);
            set(object, ownership.updated(live, object, manager, now.toString()));
            return object;
        }

        private JsonObject scaled(JsonObject live, java.util.function.UnaryOperator<JsonObject> write) {
            ScaleOwnership carry = new ScaleOwnership(v -> Optional.of(".spec.replicas"));
            List<@Nullable Object> entries = managed(live);
            JsonObject current = FieldOwnership.blank("autoscaling/v1", "Scale");
            JsonObject metadata = new JsonObject();
            metadata.put("name", live.at("metadata", "name"));
            current.put("metadata", metadata);
            JsonObject spec = new JsonObject();
            spec.put("replicas", live.at("spec", "replicas"));
            current.put("spec", spec);
            set(current, carry.toScale(entries));
            JsonObject after = write.apply(current);
            JsonObject result = live.copy();
            result.object("spec").put("replicas", after.at("spec", "replicas"));
            set(result, carry.toObject(entries, managed(after), "apps/v1"));
            return result;
        }

        /** Does the server's work around ownership: keeps its own fields, defaults, resets. */
        private JsonObject finished(Optional<JsonObject> live, JsonObject object) {
            if (!definition.isEmpty()) {
                boolean cleared = object.at("metadata", "managedFields") instanceof List<?> list && list.isEmpty();
                BuiltinDecoder.normalize(object, definition);
                if (cleared) {
                    object.object("metadata").put("managedFields", List.of());
                }
            } else {
                defaults(object, java.util.Objects.requireNonNull(widgets));
            }
            if (plural.equals("deployments") && object.at("spec", "replicas") == null) {
                object.object("spec").put("replicas", 1L);
            }
            if (plural.equals("deployments") || plural.equals("services")) {
                protocols(object);
            }
            String reset = subresource.equals("status") ? "spec" : "status";
            if (live.isPresent() && live.get().containsKey(reset)) {
                object.put(reset, Json.copy(live.get().get(reset)));
            } else if (!definition.isEmpty() && object.get(reset) instanceof Map<?, ?>) {
                object.put(reset, new JsonObject());
                BuiltinDecoder.normalize(object, definition);
            } else {
                object.remove(reset);
            }
            return object;
        }
    }

    private static void protocols(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            if (map.containsKey("containerPort") || map.containsKey("targetPort")) {
                Json.asObject(map).putIfAbsent("protocol", "TCP");
            }
            map.values().forEach(SsaTranscriptTest::protocols);
        } else if (tree instanceof List<?> list) {
            list.forEach(SsaTranscriptTest::protocols);
        }
    }

    private static void defaults(@Nullable Object tree, Schema schema) {
        if (tree instanceof Map<?, ?> map) {
            JsonObject object = Json.asObject(map);
            schema.properties().forEach((name, property) -> {
                if (property.hasDefault() && object.get(name) == null && !name.matches("uid|kind|apiVersion|name")) {
                    object.put(name, property.defaultValue());
                }
                defaults(object.get(name), property);
            });
        } else if (tree instanceof List<?> list && schema.items() != null) {
            list.forEach(item -> defaults(item, java.util.Objects.requireNonNull(schema.items())));
        }
    }

    private static void set(JsonObject object, List<@Nullable Object> entries) {
        JsonObject metadata = object.object("metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            metadata.put("managedFields", entries);
        }
    }

    private static List<@Nullable Object> managed(@Nullable Object object) {
        return Json.at(object, "metadata", "managedFields") instanceof List<?> list ? Json.asArray(list) : List.of();
    }

    private static @Nullable Object merged(@Nullable Object target, @Nullable Object patch) {
        if (!(patch instanceof Map<?, ?> changes)) {
            return patch;
        }
        JsonObject result = new JsonObject(Json.object(target).orElseGet(JsonObject::new));
        changes.forEach((key, value) -> {
            if (value == null) {
                result.remove((String) key);
            } else {
                result.put((String) key, merged(result.get((String) key), value));
            }
        });
        return result;
    }

    private static JsonObject patched(JsonObject target, List<?> operations) {
        JsonObject result = target.copy();
        for (Object operation : operations) {
            JsonObject at = result;
            String[] path = Json.string(operation, "path").substring(1).split("/", -1);
            for (int i = 0; i < path.length - 1; i++) {
                at = at.object(path[i]);
            }
            at.put(path[path.length - 1], Json.at(operation, "value"));
        }
        return result;
    }

    private static String difference(JsonObject actual, @Nullable Object expected) {
        StringBuilder text = new StringBuilder();
        Set<Object> entries = new HashSet<>();
        for (Object entry : managed(actual)) {
            JsonObject copy = Json.asObject(entry).copy();
            copy.computeIfPresent("time", (k, v) -> "<time>");
            entries.add(copy);
        }
        if (!entries.equals(new HashSet<Object>(managed(expected)))) {
            text.append("\n  managedFields ")
                    .append(Json.text(managed(actual)))
                    .append("\n       recorded ")
                    .append(Json.text(managed(expected)));
        }
        for (String part : List.of("data", "spec", "status")) {
            boolean compared =
                    part.equals("data") || Json.string(expected, "kind").equals("Widget");
            if (compared && !java.util.Objects.equals(actual.get(part), Json.at(expected, part))) {
                text.append("\n  ")
                        .append(part)
                        .append(' ')
                        .append(Json.text(actual.get(part)))
                        .append("\n  recorded ")
                        .append(Json.text(Json.at(expected, part)));
            }
        }
        return text.toString();
    }

    private static JsonObject object(String json) {
        return Json.parseObject(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }
}
