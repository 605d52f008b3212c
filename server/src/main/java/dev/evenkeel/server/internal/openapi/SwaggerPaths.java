package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Operations as the paths of an OpenAPI document of version 2, which contains a parameter that many of them have only once,
 * under its name and a hash.
 */
final class SwaggerPaths {
    /** Parameters that old clients look for in an operation itself. */
    private static final Set<String> NEVER_SHARED = Set.of("name", "fieldValidation", "dryRun");

    private static final String META = OpenApiSchemas.V2 + "io.k8s.apimachinery";

    private final OpenApiSchemas schemas;
    private final JsonObject paths = new JsonObject();
    private final JsonObject shared = new JsonObject();

    /**
     * Creates the paths of operations.
     *
     * @param schemas to which the definitions they refer to are added
     */
    SwaggerPaths(Collection<Route> routes, OpenApiSchemas schemas) {
        this.schemas = schemas;
        Route.byPath(routes).forEach((path, operations) -> {
            List<Route.Parameter> common = Route.common(operations);
            JsonObject item = new JsonObject();
            operations.forEach(route -> item.put(route.method(), operation(route, common)));
            paths.put(path, item.setUnlessEmpty("parameters", parameters(common)));
        });
        shared.sort(Comparator.naturalOrder());
    }

    JsonObject paths() {
        return paths;
    }

    /** Returns the parameters to which the paths refer, by name. */
    JsonObject parameters() {
        return shared;
    }

    private JsonObject operation(Route route, List<Route.Parameter> common) {
        SortedMap<String, JsonObject> parameters = new TreeMap<>();
        route.parametersBut(common).forEach(each -> parameters.put(each.name() + " " + each.in(), parameter(each)));
        route.body().ifPresent(body -> parameters.put("body", body(body)));
        JsonObject operation = JsonObject.of(
                "description",
                route.description(),
                "consumes",
                route.consumes(),
                "produces",
                route.produces(),
                "schemes",
                List.of("https"),
                "tags",
                route.tags(),
                "operationId",
                route.id());
        operation.setUnlessEmpty("parameters", List.copyOf(parameters.values()));
        operation.put(
                "responses",
                new JsonObject(route.answers(definition -> JsonObject.of("schema", schemas.ofBody(definition)))));
        return route.action().isEmpty()
                ? operation
                : operation.set(OpenApiPaths.ACTION, route.action()).set(OpenApiPaths.KIND, route.kind());
    }

    private List<JsonObject> parameters(List<Route.Parameter> parameters) {
        return parameters.stream().map(this::parameter).toList();
    }

    private JsonObject parameter(Route.Parameter parameter) {
        JsonObject tree = JsonObject.of("uniqueItems", true, "type", parameter.type());
        tree.setUnlessEmpty("description", parameter.description());
        tree.set("name", parameter.name()).set("in", parameter.in());
        if (parameter.in().equals("path")) {
            tree.put("required", true);
        }
        return NEVER_SHARED.contains(parameter.name()) ? tree : shared(tree);
    }

    private JsonObject body(Route.Body body) {
        JsonObject tree = JsonObject.of("name", "body", "in", "body");
        if (body.required()) {
            tree.put("required", true);
        }
        JsonObject schema = schemas.ofBody(body.definition());
        tree.put("schema", schema);
        return schema.string("$ref").startsWith(META) ? shared(tree) : tree;
    }

    private JsonObject shared(JsonObject parameter) {
        String name = parameter.string("name") + "-" + hash(Json.text(parameter));
        shared.putIfAbsent(name, parameter);
        return JsonObject.of("$ref", "#/parameters/" + name);
    }

    /** Returns six bytes of the text's hash, FNV-1 of 64 bits. */
    private static String hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = hash * 0x100000001b3L ^ (each & 0xFF);
        }
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
        return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, 6));
    }
}
