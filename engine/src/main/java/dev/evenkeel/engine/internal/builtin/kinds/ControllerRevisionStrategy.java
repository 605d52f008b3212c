package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;

/** Controller revisions. */
record ControllerRevisionStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        if (!root.at("data").given()) {
            root.at("data").missing("data is mandatory");
        }
        root.at("revision").notNegative();
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "data");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.controller(column, tree);
    }
}
