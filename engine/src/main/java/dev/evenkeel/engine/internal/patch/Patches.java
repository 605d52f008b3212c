package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies patches to trees, all but {@link Patch.Type#APPLY}.
 *
 * <p>Pure functions: a tree, the bytes of a patch, and the patched tree or an {@link ApiException} with the code,
 * reason and message of kube-apiserver: 400 for a body that is not a patch, 413 for too many operations, 422 for a JSON
 * Patch that does not fit, 500 for a strategic merge patch that contradicts itself. Callers check that the result still
 * is an object of its type.
 *
 * <p>Both trees are consumed: parts of them become parts of the result, and when the patch fails the object is left
 * half changed. Callers that still need the original object must keep a {@linkplain Json#copy copy}, or its bytes. Thus
 * the cost of a patch depends on the fields it touches, not on the size of the object.
 */
public final class Patches {
    private Patches() {}

    /**
     * Applies a patch.
     *
     * @param type its type; not {@link Patch.Type#APPLY}, which needs a field manager
     * @param live the object; consumed
     * @param patch the body of the patch
     * @param schema the type of the object, which defines how a strategic merge patch merges lists
     * @param limits for the body, and for the depth of the result
     * @param strictErrors receives the problems that strict validation refuses and other validation warns of, in
     *     upstream's words, such as {@code duplicate field "data.a"}
     * @throws ApiException when the patch cannot be read or applied
     */
    public static Patched apply(
            Patch.Type type,
            JsonObject live,
            byte[] patch,
            Schema schema,
            JsonLimits limits,
            Consumer<String> strictErrors) {
        return apply(type, live, patch, schema, limits, strictErrors, true);
    }

    /**
     * Applies a patch.
     *
     * @param checked whether fields of the patch are checked; otherwise it is read with fewer rules
     */
    public static Patched apply(
            Patch.Type type,
            JsonObject live,
            byte[] patch,
            Schema schema,
            JsonLimits limits,
            Consumer<String> strictErrors,
            boolean checked) {
        return switch (type) {
            case JSON -> {
                Consumer<String> duplicates =
                        path -> strictErrors.accept("json patch duplicate field \"" + path + "\"");
                Object body = parse(patch, limits, duplicates, checked ? "error decoding patch: " : "");
                List<JsonPatchOperation> operations = JsonPatchOperation.read(body, strictErrors, checked);
                try {
                    yield Patched.of(new JsonPatch(live, limits.maxDepth()).apply(operations));
                } catch (PatchMismatchException e) {
                    throw Refusal.unprocessable();
                }
            }
            case MERGE -> {
                if (!checked) {
                    yield merged(live, patch, limits);
                }
                Object body = parse(patch, limits, duplicates(strictErrors), "error decoding patch: ");
                if (body == null) {
                    throw notMergeable();
                }
                MergePatch.apply(live, object(body, "error decoding patch: "));
                yield Patched.of(live);
            }
            case STRATEGIC -> {
                Object body = parse(patch, limits, duplicates(strictErrors), "");
                JsonObject changes = body == null ? new JsonObject() : object(body, "");
                yield new Patched(StrategicMergePatch.apply(live, changes, schema), changes, true);
            }
            case APPLY -> throw new IllegalArgumentException("server-side apply is not a patch of a tree");
        };
    }

    /**
     * Applies the operations of a JSON Patch.
     *
     * @param live the object; consumed
     * @param operations the parsed patch
     * @throws PatchMismatchException in upstream's words, when they do not fit the object
     */
    public static @Nullable Object apply(JsonObject live, List<?> operations, JsonLimits limits) {
        return new JsonPatch(live, limits.maxDepth()).apply(JsonPatchOperation.read(operations, problem -> {}, true));
    }

    /** Applies a merge patch whose fields are not checked; a list replaces the object. */
    private static Patched merged(JsonObject live, byte[] patch, JsonLimits limits) {
        Object body;
        try {
            body = Json.parse(patch, limits);
        } catch (JsonException e) {
            throw notMergeable();
        }
        if (body instanceof List<?>) {
            return Patched.of(body);
        }
        MergePatch.apply(live, Json.object(body).orElseThrow(Patches::notMergeable));
        return Patched.of(live);
    }

    private static ApiException notMergeable() {
        return Refusal.badRequest("Invalid JSON Patch");
    }

    private static Consumer<String> duplicates(Consumer<String> strictErrors) {
        return path -> strictErrors.accept("duplicate field \"" + path + "\"");
    }

    private static @Nullable Object parse(byte[] patch, JsonLimits limits, Consumer<String> duplicates, String prefix) {
        try {
            return Json.parse(patch, limits, duplicates);
        } catch (JsonException e) {
            throw Refusal.badRequest(prefix + e.getMessage());
        }
    }

    private static JsonObject object(Object body, String prefix) {
        return Json.object(body)
                .orElseThrow(() -> Refusal.badRequest(prefix + "json: cannot unmarshal " + GoTypes.kind(body)
                        + " into Go value of type map[string]interface {}"));
    }

    /**
     * Sorts the keys of an object that a patch looked into, as upstream does, and leaves the rest unchanged. Messages
     * show that order, and custom resources are stored sorted anyway.
     */
    static void sortKeys(JsonObject object) {
        String before = "";
        for (String key : object.keySet()) {
            if (Json.KEY_ORDER.compare(before, key) > 0) {
                object.sort(Json.KEY_ORDER);
                return;
            }
            before = key;
        }
    }
}
