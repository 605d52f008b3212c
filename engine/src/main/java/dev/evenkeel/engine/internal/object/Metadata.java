package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations on the metadata of objects. */
public final class Metadata {
    /** The fields of metadata that no hook or webhook changes. */
    public static final List<String> SERVERS = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "selfLink");

    private static final List<String> SYSTEM =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

    private Metadata() {}

    /** Returns the metadata of an object, created if absent. */
    public static Map<String, @Nullable Object> of(Map<String, @Nullable Object> tree) {
        Object metadata = tree.get("metadata");
        if (metadata instanceof Map<?, ?>) {
            return Json.asObject(metadata);
        }
        Map<String, @Nullable Object> made = new LinkedHashMap<>();
        tree.put("metadata", made);
        return made;
    }

    /** Removes the fields that only the server may set, before a create. */
    public static void wipe(Map<String, @Nullable Object> metadata) {
        SYSTEM.forEach(metadata::remove);
    }

    /** Restores the fields that only the server may set, before an update. */
    public static void restore(Map<String, @Nullable Object> metadata, Map<String, @Nullable Object> old) {
        for (String field : List.of(
                "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink")) {
            keep(metadata, old, field);
        }
        metadata.putIfAbsent("uid", old.get("uid"));
    }

    /** Restores the former value of a field. */
    public static void keep(Map<String, @Nullable Object> metadata, Map<String, @Nullable Object> old, String field) {
        Object value = old.get(field);
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.put(field, value);
        }
    }

    public static List<String> finalizers(Map<String, @Nullable Object> metadata) {
        return strings(metadata.get("finalizers"));
    }

    public static List<String> strings(@Nullable Object value) {
        List<String> strings = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof String text) {
                    strings.add(text);
                }
            }
        }
        return strings;
    }

    public static void setFinalizers(Map<String, @Nullable Object> metadata, List<String> finalizers) {
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.put("finalizers", new ArrayList<Object>(finalizers));
        }
    }

    public static void removeFinalizer(Map<String, @Nullable Object> metadata, String finalizer) {
        List<String> finalizers = finalizers(metadata);
        finalizers.remove(finalizer);
        setFinalizers(metadata, finalizers);
    }

    public static boolean deleting(Map<String, @Nullable Object> metadata) {
        return metadata.get("deletionTimestamp") != null;
    }

    /** Removes repeated owner references and returns their uids, for a warning. */
    public static List<String> deduplicateOwners(Map<String, @Nullable Object> metadata) {
        if (!(metadata.get("ownerReferences") instanceof List<?> list) || list.size() < 2) {
            return List.of();
        }
        Set<Object> seen = new LinkedHashSet<>(list);
        if (seen.size() == list.size()) {
            return List.of();
        }
        List<Object> rest = new ArrayList<>(list);
        seen.forEach(rest::remove);
        metadata.put("ownerReferences", new ArrayList<>(seen));
        return rest.stream()
                .map(reference -> Json.string(reference, "uid"))
                .distinct()
                .toList();
    }

    /** Increments the generation, if the object has one. */
    public static void nextGeneration(Map<String, @Nullable Object> metadata) {
        if (metadata.get("generation") instanceof Long generation && generation > 0) {
            metadata.put("generation", generation + 1);
        }
    }
}
