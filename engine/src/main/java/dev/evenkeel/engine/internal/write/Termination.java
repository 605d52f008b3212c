package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When an object that is marked for deletion is gone. */
final class Termination {
    private Termination() {}

    /** Whether nothing holds a marked object any more: no finalizers, and neither its kind nor its grace. */
    static boolean complete(Map<String, @Nullable Object> tree, ResourceStrategy strategy) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        return Metadata.deleting(metadata)
                && Metadata.finalizers(metadata).isEmpty()
                && Json.integer(metadata, "deletionGracePeriodSeconds") == 0
                && !strategy.held(tree);
    }
}
