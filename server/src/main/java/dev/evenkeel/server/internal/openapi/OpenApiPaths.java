package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.server.internal.discovery.Catalog;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Map<String, @Nullable Object> paths = new LinkedHashMap<>();

    OpenApiPaths(OpenApiSchemas schemas, Catalog.GroupVersion version) {
        this.schemas = schemas;
        this.version = version;
    }

    /**
     * Returns the paths of all groups in the form of version 2, only with the facts that old clients need: that PATCH
     * supports dry run.
     */
    static Map<String, @Nullable Object> version2(Catalog catalog) {
        Map<String, @Nullable Object> paths = new LinkedHashMap<>();
        for (Catalog.Group group : catalog.groups()) {
            for (Catalog.GroupVersion version : group.versions()) {
                String root = version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version.text();
                for (Catalog.Resource resource : version.resources()) {
                    if (resource.verbs().contains("patch")) {
                        List<@Nullable Object> parameters = new ArrayList<>();
                        for (String name : WRITE) {
                            Map<String, @Nullable Object> parameter = OpenApiSchemas.of("string");
                            parameter.put("name", name);
                            parameter.put("in", "query");
                            parameters.add(parameter);
                        }
                        Map<String, @Nullable Object> patch = new LinkedHashMap<>();
                        patch.put("parameters", parameters);
                        patch.put("x-kubernetes-action", "patch");
                        patch.put("x-kubernetes-group-version-kind", kind(resource));
                        Map<String, @Nullable Object> item = new LinkedHashMap<>();
                        item.put("patch", patch);
                        String scope = resource.type().namespaced() ? "/namespaces/{namespace}/" : "/";
                        paths.put(root + scope + resource.type().plural() + "/{name}", item);
                    }
                }
            }
        }
        return paths;
    }

    private static Map<String, @Nullable Object> kind(Catalog.Resource resource) {
        Map<String, @Nullable Object> gvk = new LinkedHashMap<>();
        gvk.put("group", resource.type().group());
        gvk.put("version", resource.version().name());
        gvk.put("kind", resource.type().kind());
        return gvk;
    }

    Map<String, @Nullable Object> paths() {
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
                Map<String, @Nullable Object> across = new LinkedHashMap<>();
                across.put("get", operation(resource, "list", "list", LIST, listName(resource), ""));
                across.put("parameters", parameters(List.of("pretty")));
                paths.put(root + "/" + type.plural(), across);
            }
        }
        return paths;
    }

    private void collection(String path, Catalog.Resource resource) {
        Map<String, @Nullable Object> item = new LinkedHashMap<>();
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
        Map<String, @Nullable Object> item = new LinkedHashMap<>();
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
        Map<String, @Nullable Object> item = new LinkedHashMap<>();
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

    private void end(String path, Map<String, @Nullable Object> item, boolean namespaced, boolean named) {
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

    private Map<String, @Nullable Object> patch(Catalog.Resource resource, String kind) {
        List<String> parameters = new ArrayList<>(WRITE);
        parameters.add("force");
        Map<String, @Nullable Object> operation = operation(resource, "patch", "patch", parameters, kind, "");
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        for (Patch.Type type : Patch.Type.values()) {
            if (resource.builtIn() || type != Patch.Type.STRATEGIC) {
                content.put(type.mediaType(), media(OpenApiSchemas.META + "Patch"));
            }
        }
        schemas.meta("Patch");
        operation.put("requestBody", body(content));
        return operation;
    }

    private Map<String, @Nullable Object> operation(
            Catalog.Resource resource,
            String verb,
            String action,
            List<String> parameters,
            String answer,
            String request) {
        Map<String, @Nullable Object> operation = new LinkedHashMap<>();
        operation.put("description", verb + " " + resource.type().kind());
        operation.put("parameters", parameters(parameters));
        if (!request.isEmpty()) {
            Map<String, @Nullable Object> content = new LinkedHashMap<>();
            content.put("*/*", media(request));
            operation.put("requestBody", body(content));
        }
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        content.put(HttpExchange.JSON, media(answer));
        content.put(HttpExchange.YAML, media(answer));
        Map<String, @Nullable Object> ok = new LinkedHashMap<>();
        ok.put("description", "OK");
        ok.put("content", content);
        Map<String, @Nullable Object> responses = new LinkedHashMap<>();
        responses.put("200", ok);
        operation.put("responses", responses);
        operation.put("x-kubernetes-action", action);
        operation.put("x-kubernetes-group-version-kind", kind(resource));
        return operation;
    }

    private static Map<String, @Nullable Object> body(Map<String, @Nullable Object> content) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("content", content);
        return body;
    }

    private Map<String, @Nullable Object> media(String definition) {
        if (definition.startsWith(OpenApiSchemas.META)) {
            schemas.builtIn(definition);
        }
        Map<String, @Nullable Object> media = new LinkedHashMap<>();
        media.put("schema", schemas.reference(definition));
        return media;
    }

    private static List<@Nullable Object> parameters(List<String> names) {
        List<@Nullable Object> parameters = new ArrayList<>();
        for (String name : names) {
            String type = FLAGS.contains(name) ? "boolean" : NUMBERS.contains(name) ? "integer" : "string";
            Map<String, @Nullable Object> schema = OpenApiSchemas.of(type);
            schema.put("uniqueItems", true);
            Map<String, @Nullable Object> parameter = new LinkedHashMap<>();
            parameter.put("name", name);
            parameter.put("in", "query");
            parameter.put("schema", schema);
            parameters.add(parameter);
        }
        return parameters;
    }

    private static Map<String, @Nullable Object> pathParameter(String name) {
        Map<String, @Nullable Object> schema = OpenApiSchemas.of("string");
        schema.put("uniqueItems", true);
        Map<String, @Nullable Object> parameter = new LinkedHashMap<>();
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
