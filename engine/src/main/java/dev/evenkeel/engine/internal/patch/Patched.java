package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a patch. It may not be an object, or not one of the type.
 *
 * @param tree the patched tree
 * @param shown the tree that errors show: the result, or the patch if that was a strategic one
 * @param strategic whether the patch was a strategic merge patch
 */
public record Patched(@Nullable Object tree, @Nullable Object shown, boolean strategic) {
    static Patched of(@Nullable Object tree) {
        return new Patched(tree, tree, false);
    }

    /** Returns a copy that errors show as this tree: the result in another order of keys. */
    public Patched showing(Object other) {
        return strategic ? this : new Patched(tree, other, false);
    }

    /**
     * Returns the error for a result that cannot be decoded as its type, or that strict validation refuses: 422 with
     * {@code  "" is invalid: patch: Invalid value: ...}. It shows the result, or the patch if that was a strategic one,
     * so it must be created before either is changed.
     *
     * @param detail the error, such as {@code strict decoding error: unknown field "foo"}
     */
    public ApiException invalid(String detail) {
        FieldError error = FieldError.invalid("patch", strategic ? GoFormat.of(shown) : Json.text(shown), detail);
        Status.Details details = Status.Details.EMPTY.causes(List.of(error.cause()));
        return ApiException.of(Status.of(422, "Invalid", " \"\" is invalid: " + error.text(), details));
    }
}
