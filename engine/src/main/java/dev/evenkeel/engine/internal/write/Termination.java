package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides when an object that is marked for deletion is removed. */
final class Termination {
    private Termination() {}

    /**
     * Returns true if nothing delays the removal of a marked object: no finalizers, and neither its kind nor its grace
     * period.
     */
    static boolean complete(Map<String, @Nullable Object> tree, ResourceStrategy strategy) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        return Metadata.deleting(metadata)
                && Metadata.finalizers(metadata).isEmpty()
                && Json.integer(metadata, "deletionGracePeriodSeconds") == 0
                && !strategy.held(tree);
    }
}
