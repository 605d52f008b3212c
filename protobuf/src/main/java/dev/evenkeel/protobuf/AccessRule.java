package dev.evenkeel.protobuf;

import com.google.protobuf.Message;
import dev.evenkeel.client.ObjectKey;
import java.util.function.Supplier;

/**
 * Decides whether a user may read or write an object, after the authorizers and roles have allowed the request.
 *
 * <pre>{@code
 * .authorizeRead((access, id, artist) -> access.allows("read", "catalog", id))
 * .authorizeWrite((access, id, artist) -> artist.get().getOwner().equals(access.user().name()))
 * }</pre>
 *
 * <p>A rule that does not call {@code content} decides by name: then a user that may not read an object receives 403, also
 * if it does not exist. If the rule does call it, such an object is not found (404), so that its existence is not revealed.
 * A rule of writes is called for the content before and after the write, each of which must be allowed.
 *
 * <p>It is called by many threads, for each object of a list and each event of a watch, and should return within
 * microseconds.
 *
 * @param <T> class of the data
 */
@FunctionalInterface
public interface AccessRule<T extends Message> {
    /**
     * Returns true if the user may.
     *
     * @param content returns the data of the object, or the default instance of an object without data; to be called only
     *     if the decision depends on it, and not kept
     */
    boolean allows(Access access, ObjectKey id, Supplier<T> content);
}
