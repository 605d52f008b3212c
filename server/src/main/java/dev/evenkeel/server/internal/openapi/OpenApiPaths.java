package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.server.internal.discovery.Catalog;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one version of a group, as OpenAPI v3, from which clients learn the available verbs and query parameters
 * (kubectl looks for {@code dryRun} and {@code fieldValidation} at PATCH).
 */
final class OpenApiPaths {
    private static final List<String> WRITE = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> LIST =
            List.of(("allowWatchBookmarks continue fieldSelector labelSelector limit resourceVersion "
                            + "resourceVersionMatch sendInitialEvents timeoutSeconds watch")
                    .split(" ", -1));
    private static final List<String> DELETE =
            List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy");
    private static final Set<String> FLAGS =
            Set.of("allowWatchBookmarks", "sendInitialEvents", "watch", "force", "orphanDependents");
    private static final Set<String> NUMBERS = Set.of("limit", "timeoutSeconds", "gracePeriodSeconds");

    private static final List<String> READ = List.of("resourceVersion");
    private static final String STATUS = OpenApiSchemas.META + "Status";
    private static final String DELETE_OPTIONS = OpenApiSchemas.META + "DeleteOptions";
    private static final String GVK = "x-kubernetes-group-version-kind";

    private final OpenApiSchemas schemas;
    private final Catalog.GroupVersion version;
    private final JsonObject paths = new JsonObject();

    OpenApiPaths(OpenApiSchemas schemas, Catalog.GroupVersion version) {
        this.schemas = schemas;
        this.version = version;
    }

    /**
     * Returns the paths of all groups in the form of version 2, only with the facts that old clients need: that PATCH
     * supports dry run.
     */
    static JsonObject version2(Catalog catalog) {
        JsonObject paths = new JsonObject();
        List<JsonObject> parameters =
                WRITE.stream().map(OpenApiPaths::parameter2).toList();
        catalog.versions()
                .forEach(version -> version.resources().forEach(resource -> {
                    if (resource.verbs().contains("patch")) {
                        JsonObject patch = JsonObject.of("parameters", parameters, "x-kubernetes-action", "patch")
                                .set(GVK, kind(resource));
                        paths.put(collection(version, resource) + "/{name}", JsonObject.of("patch", patch));
                    }
                }));
        return paths;
    }

    private static JsonObject parameter2(String name) {
        return OpenApiSchemas.of("string").set("name", name).set("in", "query");
    }

    private static JsonObject kind(Catalog.Resource resource) {
        ResourceType type = resource.type();
        return JsonObject.of(
                "group", type.group(), "version", resource.version().name(), "kind", type.kind());
    }

    private static String collection(Catalog.GroupVersion version, Catalog.Resource resource) {
        ResourceType type = resource.type();
        return "/" + version.path() + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
    }

    /** Returns the document of a path that only lists what is below it, as a definition does. */
    static JsonObject listing(OpenApiSchemas schemas, String path, String definition) {
        JsonObject media = JsonObject.of("schema", schemas.builtIn(definition));
        JsonObject ok = JsonObject.of("description", "OK", "content", JsonObject.of(HttpExchange.JSON, media));
        return JsonObject.of(path, JsonObject.of("get", JsonObject.of("responses", JsonObject.of("200", ok))));
    }

    /** Returns the definition of the bodies of a subresource, which is added. */
    private String kind(Catalog.Resource resource, Catalog.Subresource sub) {
        String group = sub.version().isEmpty() ? version.group() : sub.group();
        String name = "io.k8s.api." + (group.isEmpty() ? "core" : group.split("\\.", 2)[0]) + "."
                + (sub.version().isEmpty() ? version.version() : sub.version()) + "." + sub.kind();
        boolean own = sub.kind().equals(resource.type().kind())
                || BuiltinTypes.schema(name).isEmpty();
        if (!own) {
            schemas.builtIn(name);
        }
        return own ? OpenApiSchemas.name(resource.type(), resource.version()) : name;
    }

    JsonObject paths() {
        paths.putAll(listing(schemas, "/" + version.path() + "/", OpenApiSchemas.META + "APIResourceList"));
        for (Catalog.Resource resource : version.resources()) {
            ResourceType type = resource.type();
            String kind = OpenApiSchemas.name(type, resource.version());
            String collection = collection(version, resource);
            String named = collection + "/{name}";
            List<String> verbs = resource.verbs();
            add(collection, resource, kind, List.of("list", "create", "deletecollection"), verbs);
            add(named, resource, kind, List.of("get", "update", "delete", "patch"), verbs);
            for (Catalog.Subresource sub : resource.subresources()) {
                List<String> possible = List.of("get", "update", "patch", "create");
                add(named + "/" + sub.name(), resource, kind(resource, sub), possible, sub.verbs());
            }
            if (type.namespaced() && verbs.contains("list")) {
                JsonObject across = JsonObject.of("get", operation(resource, "list", "list", LIST, kind + "List", ""));
                paths.put(
                        "/" + version.path() + "/" + type.plural(),
                        across.set("parameters", parameters(List.of("pretty"))));
            }
        }
        return paths;
    }

    /** Adds a path with the operations for those of the possible verbs that are served, if any are. */
    private void add(String path, Catalog.Resource resource, String kind, List<String> possible, List<String> served) {
        JsonObject item = new JsonObject();
        possible.stream().filter(served::contains).forEach(verb -> {
            switch (verb) {
                case "list" -> item.put("get", operation(resource, "list", "list", LIST, kind + "List", ""));
                case "create" -> item.put("post", operation(resource, "create", "post", WRITE, kind, kind));
                case "get" -> item.put("get", operation(resource, "read", "get", READ, kind, ""));
                case "update" -> item.put("put", operation(resource, "replace", "put", WRITE, kind, kind));
                case "patch" -> item.put("patch", patch(resource, kind));
                case "delete" -> item.put("delete", operation(resource, verb, verb, DELETE, STATUS, DELETE_OPTIONS));
                default -> {
                    List<String> parameters =
                            Stream.concat(LIST.stream(), DELETE.stream()).toList();
                    String name = "deleteCollection";
                    item.put("delete", operation(resource, name, verb, parameters, STATUS, DELETE_OPTIONS));
                }
            }
        });
        if (item.isEmpty()) {
            return;
        }
        List<@Nullable Object> parameters = new ArrayList<>();
        if (path.contains("{name}")) {
            parameters.add(pathParameter("name"));
        }
        if (resource.type().namespaced()) {
            parameters.add(pathParameter("namespace"));
        }
        parameters.addAll(parameters(List.of("pretty")));
        paths.put(path, item.set("parameters", parameters));
    }

    private JsonObject patch(Catalog.Resource resource, String kind) {
        List<String> parameters = new ArrayList<>(WRITE);
        parameters.add("force");
        JsonObject operation = operation(resource, "patch", "patch", parameters, kind, "");
        JsonObject content = new JsonObject();
        for (Patch.Type type : Patch.Type.values()) {
            if (resource.builtIn() || type != Patch.Type.STRATEGIC) {
                content.put(type.mediaType(), media(OpenApiSchemas.META + "Patch"));
            }
        }
        schemas.meta("Patch");
        return operation.set("requestBody", JsonObject.of("content", content));
    }

    private JsonObject operation(
            Catalog.Resource resource,
            String verb,
            String action,
            List<String> parameters,
            String answer,
            String request) {
        JsonObject operation =
                JsonObject.of("description", verb + " " + resource.type().kind());
        operation.put("parameters", parameters(parameters));
        if (!request.isEmpty()) {
            operation.put("requestBody", JsonObject.of("content", JsonObject.of("*/*", media(request))));
        }
        JsonObject content = JsonObject.of(HttpExchange.JSON, media(answer), HttpExchange.YAML, media(answer));
        JsonObject ok = JsonObject.of("description", "OK", "content", content);
        return operation
                .set("responses", JsonObject.of("200", ok))
                .set("x-kubernetes-action", action)
                .set(GVK, kind(resource));
    }

    private JsonObject media(String definition) {
        if (definition.startsWith(OpenApiSchemas.META)) {
            schemas.builtIn(definition);
        }
        return JsonObject.of("schema", schemas.reference(definition));
    }

    private static List<JsonObject> parameters(List<String> names) {
        return names.stream().map(OpenApiPaths::parameter).toList();
    }

    private static JsonObject parameter(String name) {
        String type = FLAGS.contains(name) ? "boolean" : NUMBERS.contains(name) ? "integer" : "string";
        return JsonObject.of("name", name, "in", "query", "schema", unique(type));
    }

    private static JsonObject pathParameter(String name) {
        return JsonObject.of("name", name, "in", "path", "required", true, "schema", unique("string"));
    }

    private static JsonObject unique(String type) {
        return OpenApiSchemas.of(type).set("uniqueItems", true);
    }
}
