package dev.evenkeel.grpc.internal.object;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.type.Target;
import java.util.Set;

/** Writes objects as JSON. */
public final class ObjectCodec {
    private static final Set<String> METADATA = Set.of("apiVersion", "kind", "metadata");

    private ObjectCodec() {}

    /** Returns an object, whose bytes are not copied. */
    public static ByteString json(Document document, boolean metadataOnly) {
        if (!metadataOnly) {
            return UnsafeByteOperations.unsafeWrap(document.json());
        }
        JsonObject tree = document.tree();
        tree.keySet().retainAll(METADATA);
        return UnsafeByteOperations.unsafeWrap(Json.write(tree));
    }

    /** Returns the object of a bookmark. */
    public static ByteString bookmark(Target target, String revision, boolean initialEventsEnd) {
        JsonObject metadata = JsonObject.of("resourceVersion", revision);
        if (initialEventsEnd) {
            metadata.put("annotations", JsonObject.of(Watch.Event.INITIAL_EVENTS_END, "true"));
        }
        return UnsafeByteOperations.unsafeWrap(Json.write(
                JsonObject.of("kind", target.type().kind(), "apiVersion", target.apiVersion(), "metadata", metadata)));
    }
}
