package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;

/** Decides when an object that is marked for deletion is removed. */
final class Termination {
    private Termination() {}

    /**
     * Returns true if nothing delays the removal of a marked object: no finalizers, and neither its kind nor its grace
     * period.
     */
    static boolean complete(JsonObject tree, ResourceStrategy strategy) {
        JsonObject metadata = tree.withObject("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.strings("finalizers").isEmpty()
                && metadata.integer("deletionGracePeriodSeconds") == 0
                && !strategy.held(tree);
    }
}
