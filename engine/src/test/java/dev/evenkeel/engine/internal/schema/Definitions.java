package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.crd.NamesInUse;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Definitions for tests, and what a cluster would keep of them. */
final class Definitions {
    static final Instant NOW = Instant.parse("2026-11-20T22:42:01Z");

    final Map<String, JsonObject> crds = new LinkedHashMap<>();
    private final Map<String, Served> served = new LinkedHashMap<>();

    /** The schema of a value, from JSON with single quotes. */
    static Schema schema(String text) {
        return StructuralSchemas.compile(tree(text));
    }

    /** A tree from JSON with single quotes. */
    static JsonObject tree(String text) {
        return Json.asObject(value(text));
    }

    /** A value from JSON with single quotes. */
    static @Nullable Object value(String text) {
        return Json.parse(
                text.replace('\'', '"').getBytes(java.nio.charset.StandardCharsets.UTF_8),
                dev.evenkeel.engine.JsonLimits.DEFAULT,
                path -> {});
    }

    /** A definition of widgets in demo.example.com with one version and that schema. */
    static JsonObject crd(String schema) {
        JsonObject crd = tree("{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
                + "'metadata':{'name':'widgets.demo.example.com'},"
                + "'spec':{'group':'demo.example.com','scope':'Namespaced',"
                + "'names':{'plural':'widgets','kind':'Widget'},"
                + "'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':" + schema
                + "}}]}}");
        Crds.prepareForCreate(crd);
        return crd;
    }

    /** The schema of widgets whose spec has that schema. */
    static ObjectSchema widgets(String spec) {
        ResourceType type = Crds.resourceType(crd("{'type':'object','properties':{'spec':" + spec + "}}"));
        return ObjectSchema.of(type, type.storageVersion());
    }

    /** A widget with that spec. */
    static JsonObject widget(String spec) {
        return tree("{'apiVersion':'demo.example.com/v1','kind':'Widget',"
                + "'metadata':{'name':'w','namespace':'default','uid':'1'},'spec':" + spec + "}");
    }

    static List<String> texts(List<FieldError> errors) {
        return errors.stream().map(FieldError::text).toList();
    }

    /** Stores a definition, and computes the status of all. */
    void put(JsonObject crd) {
        crds.put(crd.string("metadata", "name"), crd);
        served.clear();
        for (JsonObject each : crds.values()) {
            each.put("status", Crds.status(each, inUse(crds.values()), NOW));
        }
    }

    /** A type under one version. */
    record Served(ResourceType type, ResourceType.Version version, ObjectSchema schema) {}

    /** Returns the served type of a path such as {@code /apis/group/version/namespaces/x/plural/name}. */
    Served served(String path) {
        String[] parts = path.replaceFirst("\\?.*", "").split("/");
        String plural = parts[4].equals("namespaces") ? parts[6] : parts[4];
        return served.computeIfAbsent(parts[2] + "/" + parts[3] + "/" + plural, unused -> {
            ResourceType type = Crds.resourceType(crds.get(plural + "." + parts[2]));
            ResourceType.Version version = type.version(parts[3]).orElseThrow();
            return new Served(type, version, ObjectSchema.of(type, version));
        });
    }

    /** Returns the names that definitions use. */
    static NamesInUse inUse(Collection<JsonObject> definitions) {
        NamesInUse names = new NamesInUse();
        definitions.forEach(definition -> names.replace(new JsonObject(), definition));
        return names;
    }
}
