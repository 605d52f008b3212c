package dev.evenkeel.server.internal.resource;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ObjectMeta;

/** An object reduced to its metadata: {@code PartialObjectMetadata}. */
final class PartialMetadata {
    private PartialMetadata() {}

    static JsonObject of(JsonObject object, String metaVersion) {
        JsonObject metadata =
                object.findObject("metadata").map(ObjectMeta::inOrder).orElseGet(JsonObject::new);
        return JsonObject.of(
                "kind", "PartialObjectMetadata", "apiVersion", "meta.k8s.io/" + metaVersion, "metadata", metadata);
    }
}
