package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes to the schemas of custom resources, which were written for the server, so that clients can use them. */
final class CustomSchemas {
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
    private static final List<String> JUNCTIONS = List.of("allOf", "oneOf", "anyOf", "not");

    private CustomSchemas() {}

    /** Says in terms of OpenAPI that a value can be a number or a string, in all of a schema. */
    static void unfold(JsonObject tree) {
        inner(tree, CustomSchemas::unfold);
        if (!isTrue(tree, INT_OR_STRING) || hasBothTypes(tree) || hasBothTypes(Json.array(tree.get("allOf")))) {
            return;
        }
        List<JsonObject> types = List.of(OpenApiSchemas.of("integer"), OpenApiSchemas.of("string"));
        if (tree.containsKey("anyOf")) {
            List<@Nullable Object> all = new ArrayList<>();
            all.add(JsonObject.of("anyOf", types));
            all.addAll(tree.array("allOf"));
            tree.put("allOf", all);
        } else {
            tree.put("anyOf", types);
        }
    }

    private static boolean hasBothTypes(List<@Nullable Object> all) {
        return !all.isEmpty() && all.getFirst() instanceof JsonObject first && hasBothTypes(first);
    }

    private static boolean hasBothTypes(JsonObject tree) {
        List<@Nullable Object> any = tree.array("anyOf");
        return any.equals(List.of(OpenApiSchemas.of("integer"), OpenApiSchemas.of("string")));
    }

    /**
     * Removes what version 2 does not have, and what would make old clients refuse a valid value, in all of a schema: they
     * know no null and no unknown fields, and no array without items.
     */
    static void reduce(JsonObject tree) {
        JUNCTIONS.forEach(tree::remove);
        tree.remove("default");
        boolean unknown = isTrue(tree, "x-kubernetes-preserve-unknown-fields");
        boolean nullable = Boolean.TRUE.equals(tree.remove("nullable"));
        if (nullable || unknown) {
            tree.remove("items");
            tree.remove("properties");
        }
        boolean open = unknown && tree.string("type").equals("object");
        boolean bare = tree.string("type").equals("array") && !tree.containsKey("items");
        if (nullable || open || bare) {
            tree.remove("type");
        }
        JsonObject properties = tree.object("properties");
        List<@Nullable Object> required = new ArrayList<>(tree.array("required"));
        required.removeIf(name -> name instanceof String field && isTrue(properties.object(field), "nullable"));
        if (isTrue(tree.object("additionalProperties"), "nullable")) {
            required.clear();
        }
        tree.remove("required");
        tree.setUnlessEmpty("required", required);
        inner(tree, CustomSchemas::reduce);
    }

    private static boolean isTrue(JsonObject tree, String attribute) {
        return Boolean.TRUE.equals(tree.get(attribute));
    }

    private static void inner(JsonObject tree, Consumer<JsonObject> change) {
        tree.object("properties").values().forEach(each -> Json.object(each).ifPresent(change));
        Stream.of("items", "additionalProperties")
                .forEach(place -> tree.findObject(place).ifPresent(change));
    }
}
