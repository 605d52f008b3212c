package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.internal.aggregation.Aggregation;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the part of another server to an OpenAPI document of version 2: the paths of its API, and the definitions that these
 * refer to and this document does not have.
 */
final class SwaggerMerge {
    private static final String DEFINITIONS = "#/definitions/";

    private SwaggerMerge() {}

    static void add(JsonObject document, Aggregation.Swagger part) {
        JsonObject other = part.tree().get();
        String root = "/apis/" + part.api().group() + "/" + part.api().version();
        JsonObject paths = document.withObject("paths");
        Deque<@Nullable Object> references = new ArrayDeque<>();
        other.object("paths").forEach((path, item) -> {
            if (path.equals(root) || path.startsWith(root + "/")) {
                paths.put(path, item);
                references.add(item == null ? new JsonObject() : item);
            }
        });
        JsonObject definitions = document.withObject("definitions");
        JsonObject others = other.object("definitions");
        others.forEach((name, definition) -> {
            boolean own = Json.array(Json.at(definition, "x-kubernetes-group-version-kind")).stream()
                    .anyMatch(kind -> Json.string(kind, "group")
                                    .equals(part.api().group())
                            && Json.string(kind, "version").equals(part.api().version()));
            if (own && definitions.putIfAbsent(name, definition) == null && definition != null) {
                references.add(definition);
            }
        });
        while (!references.isEmpty()) {
            Object next = references.remove();
            switch (next) {
                case JsonObject tree -> {
                    String name = tree.string("$ref");
                    name = name.startsWith(DEFINITIONS) ? name.substring(DEFINITIONS.length()) : "";
                    if (others.get(name) instanceof JsonObject definition
                            && definitions.putIfAbsent(name, definition) == null) {
                        references.add(definition);
                    }
                    addAll(references, tree.values());
                }
                case List<?> list -> addAll(references, list);
                default -> {}
            }
        }
    }

    private static void addAll(Deque<@Nullable Object> references, Collection<? extends @Nullable Object> values) {
        for (Object value : values) {
            if (value instanceof JsonObject || value instanceof List<?>) {
                references.add(value);
            }
        }
    }
}
