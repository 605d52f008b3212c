package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a JSON Patch. It is validated when it is applied, since errors of preceding operations come first.
 *
 * @param op the operation; empty when absent
 * @param path the target; null when absent
 * @param from the source; null when absent
 * @param value the value to add, set or compare with; null when absent
 */
record JsonPatchOperation(
        String op,
        @Nullable String path,
        @Nullable String from,
        @Nullable Object value) {
    private static final int MAX_OPERATIONS = 10_000;
    private static final Set<String> MEMBERS = Set.of("op", "path", "from", "value");

    /**
     * Parses the body of a patch; unknown fields are reported and left out.
     *
     * @param checked whether fields are checked: upstream reads the body into its own type first, to do so
     */
    static List<JsonPatchOperation> read(@Nullable Object body, Consumer<String> strictErrors, boolean checked) {
        if (body == null) {
            return List.of();
        }
        if (!(body instanceof List<?> items)) {
            throw mismatch(body, "[]handlers.jsonPatchOp", "jsonpatch.Patch", checked);
        }
        List<JsonPatchOperation> operations = new ArrayList<>(items.size());
        for (Object item : items) {
            operations.add(operation(item, operations.size(), strictErrors, checked));
        }
        if (operations.size() > MAX_OPERATIONS) {
            throw Refusal.tooLarge("Request entity too large: The allowed maximum operations in a JSON patch is "
                    + MAX_OPERATIONS + ", got " + operations.size());
        }
        return operations;
    }

    private static JsonPatchOperation operation(
            @Nullable Object item, int index, Consumer<String> strictErrors, boolean checked) {
        if (item == null) {
            return new JsonPatchOperation("", null, null, null);
        }
        if (!(item instanceof JsonObject members)) {
            throw mismatch(item, "handlers.jsonPatchOp", "jsonpatch.Operation", checked);
        }
        for (String member : members.keySet()) {
            if (!MEMBERS.contains(member)) {
                strictErrors.accept("json patch unknown field \"[" + index + "]." + member + "\"");
            }
        }
        String op = text(members, "op", checked);
        return new JsonPatchOperation(
                op == null ? "" : op,
                text(members, "path", checked),
                text(members, "from", checked),
                members.get("value"));
    }

    /** Returns a member, which is taken for absent if it is not a text and fields are not checked. */
    private static @Nullable String text(JsonObject members, String name, boolean checked) {
        Object value = members.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        if (!checked) {
            return null;
        }
        throw Refusal.badRequest("error decoding patch: json: cannot unmarshal " + GoTypes.kind(value)
                + " into Go struct field jsonPatchOp." + name + " of type string");
    }

    private static RuntimeException mismatch(Object value, String ownType, String type, boolean checked) {
        return Refusal.badRequest((checked ? "error decoding patch: " : "") + "json: cannot unmarshal "
                + GoTypes.kind(value) + " into Go value of type " + (checked ? ownType : type));
    }
}
