package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import org.jspecify.annotations.Nullable;

/** Maintains {@code metadata.managedFields}. Trees given to these methods are changed in place. */
public interface Ownership {
    /**
     * Records a write other than an apply.
     *
     * @param tree the new object, with the managedFields that the writer sent, if any
     * @param old the former object; null when it is created
     * @param manager the writer
     * @param now as the API writes times
     */
    void written(JsonObject tree, @Nullable JsonObject old, Target target, String manager, String now);

    /**
     * Merges an applied configuration into an object.
     *
     * @param live the object; null when there is none
     * @param applied the configuration
     * @return the merged object with its managedFields, a new tree
     * @throws dev.evenkeel.client.ConflictException when other managers own fields that differ, and force is not set
     */
    JsonObject applied(
            @Nullable JsonObject live, JsonObject applied, Target target, String manager, boolean force, String now);
}
