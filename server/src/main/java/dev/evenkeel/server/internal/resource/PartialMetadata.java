package dev.evenkeel.server.internal.resource;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object reduced to its metadata: {@code PartialObjectMetadata}. */
final class PartialMetadata {
    private PartialMetadata() {}

    static Map<String, @Nullable Object> of(Map<String, @Nullable Object> object, String metaVersion) {
        Map<String, @Nullable Object> metadata =
                Json.object(object.get("metadata")).map(ObjectMeta::inOrder).orElseGet(LinkedHashMap::new);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", "PartialObjectMetadata");
        tree.put("apiVersion", "meta.k8s.io/" + metaVersion);
        tree.put("metadata", metadata);
        return tree;
    }
}
