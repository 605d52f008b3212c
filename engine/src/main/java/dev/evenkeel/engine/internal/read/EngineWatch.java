package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Decodes the events of a stream, each for this watcher alone; ends after its timeout, and returns a bookmark at least
 * every minute when there are no events.
 *
 * <p>Time is that of the engine's clock: under a clock that is moved by hand, {@link #ready} is right at once, while a
 * waiting {@link #next} reads the clock again when that much real time has passed. No timer is needed, since a reader
 * of a watch either waits in it or polls it.
 */
public final class EngineWatch<T extends HasMetadata> implements Watch<T> {
    /** Small: events that were taken are delivered even when the watch is closed meanwhile. */
    private static final int BATCH = 64;

    private static final Duration BOOKMARKS = Duration.ofMinutes(1);

    private final Kind<T> kind;
    private final WatchStream stream;
    private final Queue<WatchEvent> taken = new ArrayDeque<>();
    private final InstantSource clock;
    private final Instant deadline;
    private Instant nextBookmark;

    /** @param timeout when it ends; zero for never */
    public EngineWatch(Kind<T> kind, WatchStream stream, InstantSource clock, Duration timeout) {
        this.kind = kind;
        this.stream = stream;
        this.clock = clock;
        Instant now = clock.instant();
        deadline = timeout.isZero() ? Instant.MAX : now.plus(timeout);
        nextBookmark = now.plus(BOOKMARKS);
    }

    @Override
    public boolean ready() {
        if (taken.isEmpty()) {
            taken.addAll(stream.poll(BATCH));
        }
        return !taken.isEmpty() || stream.closed() || !clock.instant().isBefore(nextChime());
    }

    /** Returns the time of the next bookmark if nothing happens until then. */
    private Instant nextChime() {
        return deadline.isBefore(nextBookmark) ? deadline : nextBookmark;
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        while (taken.isEmpty()) {
            Duration wait = Duration.between(clock.instant(), nextChime());
            taken.addAll(stream.take(BATCH, wait));
            if (taken.isEmpty()) {
                Instant now = clock.instant();
                if (stream.closed() || !now.isBefore(deadline)) {
                    stream.close();
                    return Optional.empty();
                }
                if (!now.isBefore(nextBookmark)) {
                    taken.add(stream.bookmark());
                }
            }
        }
        nextBookmark = clock.instant().plus(BOOKMARKS);
        return switch (taken.remove()) {
            case WatchEvent.Changed(WatchEvent.Change change) ->
                Optional.of(new Event<>(
                        Type.valueOf(change.type().name()),
                        ModelCodec.decode(change.document().json(), kind.javaType()),
                        Long.toString(change.revision())));
            case WatchEvent.Bookmark(long revision, boolean end) -> Optional.of(bookmark(Long.toString(revision), end));
            case WatchEvent.Failed failed -> throw ApiException.of(failed.status());
        };
    }

    private Event<T> bookmark(String revision, boolean initialEventsEnd) {
        JsonObject metadata = JsonObject.of("resourceVersion", revision);
        if (initialEventsEnd) {
            metadata.put("annotations", JsonObject.of(Event.INITIAL_EVENTS_END, "true"));
        }
        byte[] object =
                Json.write(JsonObject.of("apiVersion", kind.apiVersion(), "kind", kind.kind(), "metadata", metadata));
        return new Event<>(Type.BOOKMARK, ModelCodec.decode(object, kind.javaType()), revision);
    }

    @Override
    public void close() {
        stream.close();
    }
}
