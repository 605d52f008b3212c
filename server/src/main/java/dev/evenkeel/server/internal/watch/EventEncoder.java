package dev.evenkeel.server.internal.watch;

import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.Encoding;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.StatusDocument;
import dev.evenkeel.server.internal.resource.ResponseRenderer;
import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * Encodes the events of one watch: one line of JSON each, or one frame of protobuf.
 *
 * <p>The encoding of an event depends only on the change and on the requested form, so it is computed once and memoised
 * with the change, for all watchers with the same form. The exception is the first event of a table watch, which alone
 * carries the headings, a bookmark included.
 */
public final class EventEncoder {
    /** The bytes of length before an event in protobuf. */
    public static final int FRAME_HEAD = 4;

    /** The name under which a change memoises an encoding. */
    private record Memo(Object form) {}

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
    private final Memo encoding;
    private boolean headers;

    EventEncoder(Target target, ResponseRenderer shaper) {
        this.target = target;
        this.shaper = shaper;
        encoding = new Memo(shaper.identity());
        headers = shaper.table();
    }

    byte[] encode(WatchEvent event) {
        return switch (event) {
            case WatchEvent.Changed(WatchEvent.Change change) -> {
                if (headers) {
                    headers = false;
                    yield encode(change.type().name(), shaper.objectTree(change.document(), true));
                }
                yield change.memo(encoding, Line::new).bytes(() -> encode(change));
            }
            case WatchEvent.Bookmark bookmark -> {
                boolean first = headers;
                headers = false;
                yield encode("BOOKMARK", bookmarkTree(bookmark, first));
            }
            case WatchEvent.Failed failed -> encode("ERROR", StatusDocument.failure(failed.status()));
        };
    }

    private byte[] encode(WatchEvent.Change change) {
        String type = change.type().name();
        if (binary()) {
            return frame(type, shaper.protobuf(change.document()));
        }
        return shaper.plainEvents()
                ? line(type, change.document().json())
                : encode(type, shaper.objectTree(change.document(), false));
    }

    private byte[] encode(String type, JsonObject object) {
        return binary() ? frame(type, ProtobufFormat.encode(object)) : line(type, Json.write(object));
    }

    /** Returns true if events are frames in protobuf rather than lines of JSON. */
    boolean binary() {
        return shaper.encoding() == Encoding.PROTOBUF;
    }

    /** Returns the media type of the stream. */
    String contentType() {
        return binary() ? ProtobufFormat.MEDIA_TYPE + ";stream=watch" : HttpExchange.JSON;
    }

    /** Returns the length in four bytes, and the event. */
    private static byte[] frame(String type, byte[] object) {
        byte[] event = ProtobufFormat.event(type, object);
        return ByteBuffer.allocate(FRAME_HEAD + event.length)
                .putInt(event.length)
                .put(event)
                .array();
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

    private JsonObject bookmarkTree(WatchEvent.Bookmark bookmark, boolean first) {
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
        return shaper.bookmarkTree(object.set("metadata", metadata), first);
    }

    /** Joins events, for streams without frames. */
    public static byte[] join(List<byte[]> lines) {
        ByteArrayOutputStream out =
                new ByteArrayOutputStream(lines.stream().mapToInt(l -> l.length).sum());
        lines.forEach(out::writeBytes);
        return out.toByteArray();
    }
}
