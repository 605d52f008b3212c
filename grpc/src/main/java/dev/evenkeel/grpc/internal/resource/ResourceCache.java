package dev.evenkeel.grpc.internal.resource;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.grpc.resource.v1.Resource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps the resources that stored objects were shown as: making one from JSON takes much longer than sending it, and lists and
 * snapshots of watches show the same objects again and again.
 *
 * <p>The key is the stored value, by identity and weakly: a write stores another value, so that an entry is never stale, and
 * a value that is gone takes its resource with it. A cache belongs to the types of a partition at one moment, and goes with
 * them. It is as large as the encodings of the stored objects, but at most {@value #MOST_BYTES} bytes.
 */
final class ResourceCache {
    private static final long MOST_BYTES = 64L << 20;

    private final Cache<Object, Resource> resources = Caffeine.newBuilder()
            .weakKeys()
            .maximumWeight(MOST_BYTES)
            .weigher((Object key, Resource resource) -> resource.getSerializedSize())
            .build();

    /** Returns the resource of an object, which is made if it is not kept. */
    Resource get(Document document, Supplier<Resource> maker) {
        Optional<Object> stored = document.stored();
        return stored.isEmpty() ? maker.get() : resources.get(stored.get(), key -> maker.get());
    }
}
