package dev.evenkeel.server.internal.resource;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.object.Document;
import java.util.Optional;

/**
 * Keeps the protobuf messages of stored objects: transcoding one takes much longer than sending it, and lists and watches
 * show the same objects again and again.
 *
 * <p>The key is the stored value, by identity and weakly: a write stores another value, so that an entry is never stale,
 * and a value that is gone takes its message with it. A cache belongs to the types of a partition at one moment. It grows
 * to at most {@value #MOST_BYTES} bytes. Safe for concurrent use.
 */
final class MessageCache {
    private static final long MOST_BYTES = 64L << 20;

    private final Cache<Object, byte[]> messages = Caffeine.newBuilder()
            .weakKeys()
            .maximumWeight(MOST_BYTES)
            .weigher((Object key, byte[] message) -> message.length)
            .build();

    /** Returns the message of an object. */
    byte[] get(Document document) {
        Optional<Object> stored = document.stored();
        return stored.isEmpty()
                ? ProtobufFormat.message(document.tree())
                : messages.get(stored.get(), key -> ProtobufFormat.message(document.tree()));
    }
}
