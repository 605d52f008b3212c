package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;

/** Controller revisions. */
record ControllerRevisionStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("revision").notNegative();
        Field data = root.at("data");
        if (!data.given()) {
            data.missing("data is mandatory");
        } else if (!(data.value() instanceof JsonObject)) {
            data.missing("data must be a valid JSON object");
        }
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
