package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * An object as the API shows it: with its resourceVersion, in the version of the request.
 *
 * <p>Stored objects are written by copying bytes ({@link #writeTo}); a tree is created only on request.
 */
public interface Document {
    /** Returns the encoded object, compact. */
    byte[] json();

    /** Returns the object as a new tree, which the caller may change. */
    default JsonObject tree() {
        return Json.parseObject(json(), StoredObject.TRUSTED);
    }

    /**
     * Returns the stored value that this shows, the same instance each time: a key for caches of other forms of the object.
     * Empty for an object that was converted, or made for the request.
     */
    default Optional<Object> stored() {
        return Optional.empty();
    }

    /**
     * Writes the encoded object.
     *
     * @param head true to write apiVersion and kind, which items of typed lists omit
     */
    default void writeTo(OutputStream out, boolean head) {
        try {
            if (head) {
                out.write(json());
            } else {
                JsonObject tree = tree();
                tree.remove("apiVersion");
                tree.remove("kind");
                out.write(Json.write(tree));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
