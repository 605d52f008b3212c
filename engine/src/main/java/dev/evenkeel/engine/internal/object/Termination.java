package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When an object that is marked for deletion is gone. */
public final class Termination {
    private Termination() {}

    /** Whether nothing holds a marked object any more: no finalizers, and its grace is over. */
    public static boolean complete(Map<String, @Nullable Object> tree, ResourceType type) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        if (!Metadata.deleting(metadata) || !Metadata.finalizers(metadata).isEmpty()) {
            return false;
        }
        if (type.id().equals("namespaces")) {
            return !(Json.at(tree, "spec", "finalizers") instanceof List<?> list) || list.isEmpty();
        }
        return Json.integer(metadata, "deletionGracePeriodSeconds") == 0;
    }
}
