package dev.evenkeel.engine;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.json.Json;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** Decodes the events of a stream, each for this watcher alone. */
final class EngineWatch<T extends HasMetadata> implements Watch<T> {
    /** Few: what was taken is shown even when the watch is closed meanwhile. */
    private static final int BATCH = 64;

    private final Kind<T> kind;
    private final WatchStream stream;
    private final Queue<WatchEvent> taken = new ArrayDeque<>();

    EngineWatch(Kind<T> kind, WatchStream stream) {
        this.kind = kind;
        this.stream = stream;
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        if (taken.isEmpty()) {
            taken.addAll(stream.take(BATCH));
        }
        return switch (taken.poll()) {
            case null -> Optional.empty();
            case WatchEvent.Changed(WatchEvent.Change change) ->
                Optional.of(new Event<>(
                        type(change.type()),
                        ModelCodec.decode(change.document().json(), kind.javaType()),
                        Long.toString(change.revision())));
            case WatchEvent.Bookmark bookmark -> Optional.of(bookmark(Long.toString(bookmark.revision())));
            case WatchEvent.Failed failed -> throw ApiException.of(failed.status());
        };
    }

    private Event<T> bookmark(String revision) {
        byte[] object = Json.write(Map.of(
                "apiVersion", kind.apiVersion(), "kind", kind.kind(), "metadata", Map.of("resourceVersion", revision)));
        return new Event<>(Type.BOOKMARK, ModelCodec.decode(object, kind.javaType()), revision);
    }

    private static Type type(WatchEvent.Type type) {
        return switch (type) {
            case ADDED -> Type.ADDED;
            case MODIFIED -> Type.MODIFIED;
            case DELETED -> Type.DELETED;
        };
    }

    @Override
    public void close() {
        stream.close();
    }
}
