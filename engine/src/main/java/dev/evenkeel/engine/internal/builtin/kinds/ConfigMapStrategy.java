package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Config maps. */
record ConfigMapStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        JsonObject data = tree.object("data");
        JsonObject binary = tree.object("binaryData");
        ConfigData.validateKeys(data.keySet(), "data", errors);
        for (String key : data.keySet()) {
            if (binary.containsKey(key)) {
                errors.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        }
        ConfigData.validateKeys(binary.keySet(), "binaryData", errors);
        if (ConfigData.textBytes(data) + ConfigData.decodedBytes(binary) > ConfigData.MAX_BYTES) {
            errors.add(FieldError.tooLong("[]", ConfigData.MAX_BYTES));
        }
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        ConfigData.validateFrozen(tree, old, errors, "data", "binaryData");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return (long) tree.object("data").size() + tree.object("binaryData").size();
    }
}
