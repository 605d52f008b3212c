package dev.evenkeel.server.internal.watch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.StatusDocument;
import dev.evenkeel.server.internal.resource.ResponseRenderer;
import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * Encodes the events of one watch: one line of JSON each.
 *
 * <p>The encoding of an event depends only on the change and on the requested form, so it is computed once and memoised
 * with the change, for all watchers with the same form. The exception is the first event of a table watch, which alone
 * carries the headings.
 */
final class EventEncoder {
    /** The name under which a change memoises an encoding. */
    private record Encoding(Object form) {}

    /**
     * An encoded change. Held weakly: all active watchers need it within moments, later ones are few, and keeping it
     * for as long as the history would double its memory.
     */
    private static final class Line {
        private WeakReference<byte[]> encoded = new WeakReference<>(null);

        synchronized byte[] bytes(Supplier<byte[]> encoder) {
            byte[] bytes = encoded.get();
            if (bytes == null) {
                bytes = encoder.get();
                encoded = new WeakReference<>(bytes);
            }
            return bytes;
        }
    }

    private final Target target;
    private final ResponseRenderer shaper;
    private final Encoding encoding;
    private boolean headers;

    EventEncoder(Target target, ResponseRenderer shaper) {
        this.target = target;
        this.shaper = shaper;
        encoding = new Encoding(shaper.identity());
        headers = shaper.table();
    }

    byte[] encode(WatchEvent event) {
        return switch (event) {
            case WatchEvent.Changed(WatchEvent.Change change) -> {
                if (headers) {
                    headers = false;
                    yield line(change.type().name(), Json.write(shaper.objectTree(change.document(), true)));
                }
                yield change.memo(encoding, Line::new).bytes(() -> encode(change));
            }
            case WatchEvent.Bookmark bookmark -> line("BOOKMARK", Json.write(bookmarkTree(bookmark)));
            case WatchEvent.Failed failed -> line("ERROR", Json.write(StatusDocument.failure(failed.status())));
        };
    }

    private byte[] encode(WatchEvent.Change change) {
        return line(
                change.type().name(),
                shaper.plainEvents()
                        ? change.document().json()
                        : Json.write(shaper.objectTree(change.document(), false)));
    }

    private static byte[] line(String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.ISO_8859_1);
        byte[] line = new byte[head.length + object.length + 2];
        System.arraycopy(head, 0, line, 0, head.length);
        System.arraycopy(object, 0, line, head.length, object.length);
        line[line.length - 2] = '}';
        line[line.length - 1] = '\n';
        return line;
    }

    private JsonObject bookmarkTree(WatchEvent.Bookmark bookmark) {
        boolean custom = target.type().origin() == Origin.CUSTOM;
        String kind = target.type().kind();
        String version = Long.toString(bookmark.revision());
        JsonObject metadata = custom ? new JsonObject() : JsonObject.of("resourceVersion", version);
        if (bookmark.initialEventsEnd()) {
            metadata.put("annotations", JsonObject.of("k8s.io/initial-events-end", "true"));
        }
        metadata.put("resourceVersion", version);
        JsonObject object = custom
                ? JsonObject.of("apiVersion", target.apiVersion(), "kind", kind)
                : JsonObject.of("kind", kind, "apiVersion", target.apiVersion());
        return shaper.bookmarkTree(object.set("metadata", metadata));
    }

    /** Joins lines, for streams without frames. */
    static byte[] join(List<byte[]> lines) {
        ByteArrayOutputStream out =
                new ByteArrayOutputStream(lines.stream().mapToInt(l -> l.length).sum());
        lines.forEach(out::writeBytes);
        return out.toByteArray();
    }
}
