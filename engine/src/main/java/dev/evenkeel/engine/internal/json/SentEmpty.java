package dev.evenkeel.engine.internal.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list or map without elements that a client sent.
 *
 * <p>Upstream has it in its struct until the object is stored, where it becomes an absent one. The two mean the same, so
 * trees have it as absent from the start; only messages that show a struct tell {@code []} from {@code null}. So it is put back
 * while an object is validated.
 *
 * @param path the names of fields, keys of maps and, as {@link Integer}, indexes from the object down to it
 * @param list true for a list, false for a map
 */
public record SentEmpty(List<Object> path, boolean list) {
    /** Puts it into the object, unless the place has a value or is gone. */
    public void restore(JsonObject tree) {
        @Nullable Object parent = tree;
        for (Object step : path.subList(0, path.size() - 1)) {
            parent = switch (parent) {
                case JsonObject object when step instanceof String -> object.get(step);
                case List<?> items when step instanceof Integer index && index < items.size() -> items.get(index);
                case null, default -> null;
            };
        }
        if (parent instanceof JsonObject object && path.getLast() instanceof String name && object.get(name) == null) {
            object.put(name, list ? new ArrayList<@Nullable Object>(0) : new JsonObject());
        }
    }
}
