package dev.evenkeel.testing;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A patch of finalizers as it should be: a merge of the whole list, which is bound to the version that was read, since
 * others may change the list, too; and of nothing else.
 */
final class FinalizersPatch {
    private static final String READ = "(that of the object that was read)";

    private FinalizersPatch() {}

    /** The one that makes the finalizers these, bound to the version that the sent one is bound to. */
    static Patch like(Patch sent, List<String> finalizers) {
        String version = Json.string(tree(sent), "metadata", "resourceVersion");
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("finalizers", finalizers.isEmpty() ? null : finalizers);
        metadata.put("resourceVersion", version.isEmpty() ? READ : version);
        return Patch.merge(Json.text(Map.of("metadata", metadata)));
    }

    /** What it makes the finalizers, if it is such a patch. */
    static Optional<List<String>> finalizers(Patch patch) {
        Object tree = tree(patch);
        List<String> finalizers = Json.at(tree, "metadata", "finalizers") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        return Optional.of(finalizers).filter(all -> Objects.equals(tree, tree(like(patch, all))));
    }

    /** Its content, when it is a merge; what is no JSON the server refuses. */
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
