package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Collection;
import java.util.List;

/** Operations as the paths of an OpenAPI document of version 3. */
final class OpenApiPaths {
    static final String KIND = "x-kubernetes-group-version-kind";
    static final String ACTION = "x-kubernetes-action";

    private OpenApiPaths() {}

    /** Returns paths; the definitions they refer to are added. */
    static JsonObject of(Collection<Route> routes, OpenApiSchemas schemas) {
        JsonObject paths = new JsonObject();
        Route.byPath(routes).forEach((path, operations) -> {
            List<Route.Parameter> common = Route.common(operations);
            JsonObject item = new JsonObject();
            operations.forEach(route -> item.put(route.method(), operation(route, common, schemas)));
            paths.put(path, item.setUnlessEmpty("parameters", parameters(common)));
        });
        return paths;
    }

    private static JsonObject operation(Route route, List<Route.Parameter> common, OpenApiSchemas schemas) {
        JsonObject operation =
                JsonObject.of("tags", route.tags(), "description", route.description(), "operationId", route.id());
        operation.setUnlessEmpty("parameters", parameters(route.parametersBut(common)));
        route.body().ifPresent(body -> {
            JsonObject content = content(route.consumes(), body.definition(), schemas);
            JsonObject read = JsonObject.of("content", content);
            operation.put("requestBody", body.required() ? read.set("required", true) : read);
        });
        operation.put(
                "responses",
                new JsonObject(route.answers(
                        definition -> JsonObject.of("content", content(route.produces(), definition, schemas)))));
        return route.action().isEmpty()
                ? operation
                : operation.set(ACTION, route.action()).set(KIND, route.kind());
    }

    private static JsonObject content(List<String> types, String definition, OpenApiSchemas schemas) {
        JsonObject content = new JsonObject();
        types.stream().sorted().forEach(type -> content.put(type, JsonObject.of("schema", schemas.ofBody(definition))));
        return content;
    }

    private static List<JsonObject> parameters(List<Route.Parameter> parameters) {
        return parameters.stream()
                .map(each -> {
                    JsonObject parameter = JsonObject.of("name", each.name(), "in", each.in());
                    parameter.setUnlessEmpty("description", each.description());
                    if (each.in().equals("path")) {
                        parameter.put("required", true);
                    }
                    return parameter.set(
                            "schema", OpenApiSchemas.of(each.type()).set("uniqueItems", true));
                })
                .toList();
    }
}
