package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.internal.drive.Json;
import java.util.Map;
import java.util.Optional;

/**
 * An object of a load.
 *
 * @param kind the kind
 * @param key the namespace and the name
 * @param content the object
 */
public record LoadObject(Kind<Encoded> kind, ObjectKey key, Encoded content) {
    /**
     * Returns the object of a tree of maps, lists and scalars, as in JSON; its kind, namespace and name are added.
     *
     * @throws IllegalArgumentException if the tree has something else
     */
    public static LoadObject of(Kind<?> kind, ObjectKey key, Map<String, ?> tree) {
        return new LoadObject(kind.encoded(), key, Encoded.of(Json.object(kind, key, tree)));
    }

    /** Returns a field of the specification, if it is a text. */
    Optional<String> spec(String field) {
        return Json.tree(content.json()).get("spec") instanceof Map<?, ?> spec && spec.get(field) instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }

    /** Returns the object after a JSON merge patch. */
    public LoadObject patched(Map<String, ?> patch) {
        return new LoadObject(kind, key, Json.patch(patch).appliedTo(content));
    }
}
