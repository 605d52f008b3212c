package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.server.internal.discovery.Catalog;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one version of a group, as OpenAPI v3, from which clients learn the available verbs and query parameters
 * (kubectl looks for {@code dryRun} and {@code fieldValidation} at PATCH).
 */
final class OpenApiPaths {
    private static final List<String> WRITE = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> LIST = List.of(
            "allowWatchBookmarks",
            "continue",
            "fieldSelector",
            "labelSelector",
            "limit",
            "resourceVersion",
            "resourceVersionMatch",
            "sendInitialEvents",
            "timeoutSeconds",
            "watch");
    private static final List<String> DELETE =
            List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy");
    private static final Set<String> FLAGS =
            Set.of("allowWatchBookmarks", "sendInitialEvents", "watch", "force", "orphanDependents");
    private static final Set<String> NUMBERS = Set.of("limit", "timeoutSeconds", "gracePeriodSeconds");

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
        for (Catalog.Group group : catalog.groups()) {
            for (Catalog.GroupVersion version : group.versions()) {
                String root = version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version.text();
                for (Catalog.Resource resource : version.resources()) {
                    if (resource.verbs().contains("patch")) {
                        List<@Nullable Object> parameters = new ArrayList<>();
                        for (String name : WRITE) {
                            JsonObject parameter = OpenApiSchemas.of("string");
                            parameter.put("name", name);
                            parameter.put("in", "query");
                            parameters.add(parameter);
                        }
                        JsonObject patch = new JsonObject();
                        patch.put("parameters", parameters);
                        patch.put("x-kubernetes-action", "patch");
                        patch.put("x-kubernetes-group-version-kind", kind(resource));
                        JsonObject item = new JsonObject();
                        item.put("patch", patch);
                        String scope = resource.type().namespaced() ? "/namespaces/{namespace}/" : "/";
                        paths.put(root + scope + resource.type().plural() + "/{name}", item);
                    }
                }
            }
        }
        return paths;
    }

    private static JsonObject kind(Catalog.Resource resource) {
        JsonObject gvk = new JsonObject();
        gvk.put("group", resource.type().group());
        gvk.put("version", resource.version().name());
        gvk.put("kind", resource.type().kind());
        return gvk;
    }

    JsonObject paths() {
        String root = version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version.text();
        for (Catalog.Resource resource : version.resources()) {
            ResourceType type = resource.type();
            String collection = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
            collection(collection, resource);
            named(collection + "/{name}", resource);
            for (Catalog.Subresource subresource : resource.subresources()) {
                subresource(collection + "/{name}/" + subresource.name(), resource, subresource);
            }
            if (type.namespaced() && resource.verbs().contains("list")) {
                JsonObject across = new JsonObject();
                across.put("get", operation(resource, "list", "list", LIST, listName(resource), ""));
                across.put("parameters", parameters(List.of("pretty")));
                paths.put(root + "/" + type.plural(), across);
            }
        }
        return paths;
    }

    private void collection(String path, Catalog.Resource resource) {
        JsonObject item = new JsonObject();
        String kind = OpenApiSchemas.name(resource.type(), resource.version());
        if (resource.verbs().contains("list")) {
            item.put("get", operation(resource, "list", "list", LIST, listName(resource), ""));
        }
        if (resource.verbs().contains("create")) {
            item.put("post", operation(resource, "create", "post", WRITE, kind, kind));
        }
        if (resource.verbs().contains("deletecollection")) {
            List<String> parameters = new ArrayList<>(LIST);
            parameters.addAll(DELETE);
            item.put(
                    "delete",
                    operation(
                            resource,
                            "deleteCollection",
                            "deletecollection",
                            parameters,
                            OpenApiSchemas.META + "Status",
                            OpenApiSchemas.META + "DeleteOptions"));
        }
        end(path, item, resource.type().namespaced(), false);
    }

    private void named(String path, Catalog.Resource resource) {
        JsonObject item = new JsonObject();
        String kind = OpenApiSchemas.name(resource.type(), resource.version());
        if (resource.verbs().contains("get")) {
            item.put("get", operation(resource, "read", "get", List.of("resourceVersion"), kind, ""));
        }
        if (resource.verbs().contains("update")) {
            item.put("put", operation(resource, "replace", "put", WRITE, kind, kind));
        }
        if (resource.verbs().contains("delete")) {
            item.put(
                    "delete",
                    operation(
                            resource,
                            "delete",
                            "delete",
                            DELETE,
                            OpenApiSchemas.META + "Status",
                            OpenApiSchemas.META + "DeleteOptions"));
        }
        if (resource.verbs().contains("patch")) {
            item.put("patch", patch(resource, kind));
        }
        end(path, item, resource.type().namespaced(), true);
    }

    private void subresource(String path, Catalog.Resource resource, Catalog.Subresource subresource) {
        boolean scale = subresource.name().equals("scale");
        String kind =
                scale ? "io.k8s.api.autoscaling.v1.Scale" : OpenApiSchemas.name(resource.type(), resource.version());
        if (scale) {
            schemas.builtIn(kind);
        }
        JsonObject item = new JsonObject();
        if (subresource.verbs().contains("get")) {
            item.put("get", operation(resource, "read", "get", List.of("resourceVersion"), kind, ""));
        }
        if (subresource.verbs().contains("update")) {
            item.put("put", operation(resource, "replace", "put", WRITE, kind, kind));
        }
        if (subresource.verbs().contains("patch")) {
            item.put("patch", patch(resource, kind));
        }
        if (subresource.verbs().contains("create")) {
            item.put("post", operation(resource, "create", "post", WRITE, kind, kind));
        }
        end(path, item, resource.type().namespaced(), true);
    }

    private void end(String path, JsonObject item, boolean namespaced, boolean named) {
        if (item.isEmpty()) {
            return;
        }
        List<@Nullable Object> parameters = new ArrayList<>();
        if (named) {
            parameters.add(pathParameter("name"));
        }
        if (namespaced) {
            parameters.add(pathParameter("namespace"));
        }
        parameters.addAll(parameters(List.of("pretty")));
        item.put("parameters", parameters);
        paths.put(path, item);
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
        operation.put("requestBody", body(content));
        return operation;
    }

    private JsonObject operation(
            Catalog.Resource resource,
            String verb,
            String action,
            List<String> parameters,
            String answer,
            String request) {
        JsonObject operation = new JsonObject();
        operation.put("description", verb + " " + resource.type().kind());
        operation.put("parameters", parameters(parameters));
        if (!request.isEmpty()) {
            JsonObject content = new JsonObject();
            content.put("*/*", media(request));
            operation.put("requestBody", body(content));
        }
        JsonObject content = new JsonObject();
        content.put(HttpExchange.JSON, media(answer));
        content.put(HttpExchange.YAML, media(answer));
        JsonObject ok = new JsonObject();
        ok.put("description", "OK");
        ok.put("content", content);
        JsonObject responses = new JsonObject();
        responses.put("200", ok);
        operation.put("responses", responses);
        operation.put("x-kubernetes-action", action);
        operation.put("x-kubernetes-group-version-kind", kind(resource));
        return operation;
    }

    private static JsonObject body(JsonObject content) {
        JsonObject body = new JsonObject();
        body.put("content", content);
        return body;
    }

    private JsonObject media(String definition) {
        if (definition.startsWith(OpenApiSchemas.META)) {
            schemas.builtIn(definition);
        }
        JsonObject media = new JsonObject();
        media.put("schema", schemas.reference(definition));
        return media;
    }

    private static List<@Nullable Object> parameters(List<String> names) {
        List<@Nullable Object> parameters = new ArrayList<>();
        for (String name : names) {
            String type = FLAGS.contains(name) ? "boolean" : NUMBERS.contains(name) ? "integer" : "string";
            JsonObject schema = OpenApiSchemas.of(type);
            schema.put("uniqueItems", true);
            JsonObject parameter = new JsonObject();
            parameter.put("name", name);
            parameter.put("in", "query");
            parameter.put("schema", schema);
            parameters.add(parameter);
        }
        return parameters;
    }

    private static JsonObject pathParameter(String name) {
        JsonObject schema = OpenApiSchemas.of("string");
        schema.put("uniqueItems", true);
        JsonObject parameter = new JsonObject();
        parameter.put("name", name);
        parameter.put("in", "path");
        parameter.put("required", true);
        parameter.put("schema", schema);
        return parameter;
    }

    private static String listName(Catalog.Resource resource) {
        return OpenApiSchemas.name(resource.type(), resource.version()) + "List";
    }
}
