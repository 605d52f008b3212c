package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One widget and the requests that change it, for tests. Time is a second later with each request. */
final class WidgetOwnership {
    static final String VERSION = "example.com/v1";

    private static final String PROPERTIES = """
            {'spec': {'type': 'object', 'properties': {
               'a': {'type': 'string'},
               'n': {'type': 'integer'},
               'flag': {'type': 'boolean'},
               'set': {'type': 'array', 'x-kubernetes-list-type': 'set', 'items': {'type': 'string'}},
               'map': {'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'],
                       'items': {'type': 'object', 'properties':
                           {'name': {'type': 'string'}, 'v': {'type': 'string'}, 'w': {'type': 'string'}}}},
               'ports': {'type': 'array', 'x-kubernetes-list-type': 'map',
                         'x-kubernetes-list-map-keys': ['port', 'protocol'],
                         'items': {'type': 'object', 'properties': {'port': {'type': 'integer'},
                             'protocol': {'type': 'string', 'default': 'TCP'}, 'x': {'type': 'string'}}}},
               'atom': {'type': 'array', 'x-kubernetes-list-type': 'atomic', 'items': {'type': 'string'}},
               'plain': {'type': 'array', 'items': {'type': 'object', 'properties': {'k': {'type': 'string'}}}},
               'gran': {'type': 'object', 'additionalProperties': {'type': 'string'}},
               'nest': {'type': 'object', 'additionalProperties': {'type': 'object', 'properties':
                   {'x': {'type': 'string'}, 'y': {'type': 'string'}}}},
               'whole': {'type': 'object', 'x-kubernetes-map-type': 'atomic',
                         'additionalProperties': {'type': 'string'}},
               'free': {'type': 'object', 'x-kubernetes-preserve-unknown-fields': true},
               'ios': {'x-kubernetes-int-or-string': true}}},
             'status': {'type': 'object', 'properties': {'x': {'type': 'string'}}}}""";

    private final Map<String, Schema> schemas = new HashMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Optional<JsonObject> live = Optional.empty();
    private boolean changed;

    WidgetOwnership() {
        schemas.put(VERSION, SchemaText.object(PROPERTIES));
    }

    static JsonObject widget(String spec) {
        return SchemaText.tree(
                "{'apiVersion':'%s','kind':'Widget','metadata':{'name':'w'},'spec':%s}".formatted(VERSION, spec));
    }

    /** Serves a version with a schema of its own, or stops serving it. */
    void serve(String version, Optional<Schema> schema) {
        schema.ifPresentOrElse(s -> schemas.put(version, s), () -> schemas.remove(version));
    }

    private FieldOwnership endpoint(String version, String subresource) {
        return new FieldOwnership(
                version,
                "Widget",
                subresource,
                FieldOwnership.blank(version, "Widget"),
                subresource.equals("status") ? List.of("metadata", "spec") : List.of("status"),
                v -> Optional.ofNullable(schemas.get(v)),
                FieldOwnership.Conversion.NONE);
    }

    WidgetOwnership apply(String manager, String spec) {
        return apply(manager, widget(spec), false);
    }

    WidgetOwnership force(String manager, String spec) {
        return apply(manager, widget(spec), true);
    }

    WidgetOwnership apply(String manager, JsonObject patch, boolean force) {
        now = now.plusSeconds(1);
        FieldOwnership.Applied applied =
                endpoint(patch.string("apiVersion"), "").apply(live, patch, manager, force, now.toString());
        live = Optional.of(applied.object());
        changed = applied.changed();
        return this;
    }

    WidgetOwnership put(String manager, String spec) {
        return put(manager, widget(spec), "");
    }

    /** Metadata that the request does not mention is kept, its ownership too. */
    WidgetOwnership put(String manager, JsonObject object, String subresource) {
        now = now.plusSeconds(1);
        JsonObject metadata = new JsonObject();
        metadata.put("name", "w");
        metadata.putAll(object.object("metadata"));
        object.put("metadata", metadata);
        List<@Nullable Object> entries =
                endpoint(object.string("apiVersion"), subresource).updated(live, object, manager, now.toString());
        metadata.remove("managedFields");
        if (!entries.isEmpty()) {
            metadata.put("managedFields", entries);
        }
        live = Optional.of(object);
        return this;
    }

    boolean changed() {
        return changed;
    }

    JsonObject object() {
        return live.orElseThrow();
    }

    String spec() {
        return Json.text(object().get("spec")).replace('"', '\'');
    }

    List<@Nullable Object> entries() {
        return object().at("metadata", "managedFields") instanceof List<?> list ? Json.asArray(list) : List.of();
    }

    /** The owned paths of a manager, of all its entries. */
    List<String> owned(String manager) {
        List<String> paths = new ArrayList<>();
        for (Object entry : entries()) {
            if (Json.string(entry, "manager").equals(manager)) {
                FieldSet.parse(Json.at(entry, "fieldsV1")).forEach((path, node) -> paths.add(path));
            }
        }
        return paths;
    }

    /** Managers in the order of their entries, with a version other than the usual one and without time marked. */
    List<String> managers() {
        return entries().stream()
                .map(e -> Json.string(e, "manager") + " " + Json.string(e, "operation")
                        + (Json.string(e, "apiVersion").equals(VERSION) ? "" : " " + Json.string(e, "apiVersion"))
                        + (Json.string(e, "time").isEmpty() ? " timeless" : ""))
                .toList();
    }
}
