package dev.evenkeel.engine.internal.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of a document with all its members, repeated keys included: what a repeated key means depends on the type.
 *
 * @param members in the order of the document; values that are objects are listed too
 */
public record ListedObject(List<Map.Entry<String, @Nullable Object>> members) {
    ListedObject() {
        this(new ArrayList<>());
    }

    /** Returns the value as a tree, in which the last of repeated keys wins. */
    public static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case ListedObject listed -> {
                JsonObject object = new JsonObject();
                listed.members.forEach(member -> object.put(member.getKey(), plain(member.getValue())));
                yield object;
            }
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>(list.size());
                list.forEach(item -> items.add(plain(item)));
                yield items;
            }
            case null, default -> value;
        };
    }
}
