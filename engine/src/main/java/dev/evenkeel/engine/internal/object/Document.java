package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object as the API shows it: with its resourceVersion, in the version of the request.
 *
 * <p>Stored objects are written by copying bytes ({@link #writeTo}); a tree is made only for those who ask.
 */
public interface Document {
    /** The encoded object, compact. */
    byte[] json();

    /** The object as a tree of its own, which the caller may change. */
    default Map<String, @Nullable Object> tree() {
        return Json.parseObject(json(), Trusted.LIMITS);
    }

    /**
     * Writes the encoded object.
     *
     * @param out where to
     * @param head whether to write apiVersion and kind: items of typed lists go without
     */
    default void writeTo(OutputStream out, boolean head) {
        try {
            if (head) {
                out.write(json());
            } else {
                Map<String, @Nullable Object> tree = tree();
                tree.remove("apiVersion");
                tree.remove("kind");
                out.write(Json.write(tree));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
