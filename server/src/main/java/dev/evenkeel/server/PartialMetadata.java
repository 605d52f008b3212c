package dev.evenkeel.server;

import dev.evenkeel.engine.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object reduced to its metadata: {@code PartialObjectMetadata}. */
final class PartialMetadata {
    /** As upstream's type declares them, which is how they are written. */
    private static final List<String> ORDER = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private PartialMetadata() {}

    static Map<String, @Nullable Object> of(Map<String, @Nullable Object> object, String metaVersion) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        Json.object(object.get("metadata")).ifPresent(all -> {
            for (String key : ORDER) {
                if (all.containsKey(key)) {
                    metadata.put(key, all.get(key));
                }
            }
        });
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", "PartialObjectMetadata");
        tree.put("apiVersion", "meta.k8s.io/" + metaVersion);
        tree.put("metadata", metadata);
        return tree;
    }
}
