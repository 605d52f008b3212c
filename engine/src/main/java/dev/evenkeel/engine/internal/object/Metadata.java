package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations on the metadata of objects. */
public final class Metadata {
    /** The fields of metadata that no hook or webhook changes. */
    public static final List<String> SERVERS =
            List.of(("name generateName namespace uid resourceVersion generation creationTimestamp deletionTimestamp "
                            + "deletionGracePeriodSeconds selfLink")
                    .split(" ", -1));

    private static final List<String> SYSTEM =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

    private Metadata() {}

    /** Removes the fields that only the server may set, before a create. */
    public static void wipe(JsonObject metadata) {
        SYSTEM.forEach(metadata::remove);
    }

    /** Restores the fields that only the server may set, before an update. */
    public static void restore(JsonObject metadata, JsonObject old) {
        List.of("creationTimestamp", "deletionTimestamp", "generation", "selfLink")
                .forEach(field -> keep(metadata, old, field));
        for (String field : List.of("uid", "deletionGracePeriodSeconds")) {
            if (metadata.get(field) == null) {
                keep(metadata, old, field);
            }
        }
    }

    /** Restores the former value of a field. */
    public static void keep(JsonObject metadata, JsonObject old, String field) {
        Object value = old.get(field);
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.put(field, value);
        }
    }

    public static void setFinalizers(JsonObject metadata, List<String> finalizers) {
        metadata.setOrRemove("finalizers", new ArrayList<>(finalizers));
    }

    /** Adds a finalizer to a holder of finalizers: metadata, or a spec. */
    public static void addFinalizer(JsonObject holder, String finalizer) {
        List<@Nullable Object> finalizers = new ArrayList<>(holder.array("finalizers"));
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        holder.put("finalizers", finalizers);
    }

    public static void removeFinalizer(JsonObject metadata, String finalizer) {
        List<String> finalizers = metadata.strings("finalizers");
        finalizers.remove(finalizer);
        setFinalizers(metadata, finalizers);
    }

    /** Removes repeated owner references and returns their uids, for a warning. */
    public static List<String> deduplicateOwners(JsonObject metadata) {
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
    public static void nextGeneration(JsonObject metadata) {
        if (metadata.get("generation") instanceof Long generation && generation > 0) {
            metadata.put("generation", generation + 1);
        }
    }
}
