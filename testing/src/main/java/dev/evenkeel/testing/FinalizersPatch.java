package dev.evenkeel.testing;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An expected patch of finalizers: a merge of the whole list, with the resource version that was read, since other
 * clients may change the list, too; without other fields.
 */
final class FinalizersPatch {
    private static final String READ = "(that of the object that was read)";

    private FinalizersPatch() {}

    /** Returns a patch to these finalizers, with the resource version of the sent one. */
    static Patch like(Patch sent, List<String> finalizers) {
        String version = Json.string(tree(sent), "metadata", "resourceVersion");
        JsonObject metadata = new JsonObject();
        metadata.put("finalizers", finalizers.isEmpty() ? null : finalizers);
        metadata.put("resourceVersion", version.isEmpty() ? READ : version);
        return Patch.merge(Json.text(JsonObject.of("metadata", metadata)));
    }

    /** Returns the finalizers in a patch, if it is of that form. */
    static Optional<List<String>> finalizers(Patch patch) {
        Object tree = tree(patch);
        List<String> finalizers = Json.at(tree, "metadata", "finalizers") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        return Optional.of(finalizers).filter(all -> Objects.equals(tree, tree(like(patch, all))));
    }

    /** Returns the content of a merge patch; the server refuses one that is not JSON. */
    private static @Nullable Object tree(Patch patch) {
        if (patch.type() != Patch.Type.MERGE) {
            return null;
        }
        try {
            return Json.parse(patch.bytes(), JsonLimits.DEFAULT);
        } catch (JsonException e) {
            return null;
        }
    }
}
