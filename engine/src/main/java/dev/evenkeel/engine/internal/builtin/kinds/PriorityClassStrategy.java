package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;

/** Priority classes. */
record PriorityClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validateUpdate(Field root, JsonObject old) {
        if (root.at("value").number() != old.integer("value")) {
            root.at("value").forbidden("may not be changed in an update.");
        }
        root.immutable(old, "preemptionPolicy");
    }
}
