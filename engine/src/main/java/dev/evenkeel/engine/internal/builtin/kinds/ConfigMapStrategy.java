package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Config maps. */
record ConfigMapStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        Map<String, @Nullable Object> data = Trees.object(tree, "data");
        Map<String, @Nullable Object> binary = Trees.object(tree, "binaryData");
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
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        ConfigData.validateFrozen(tree, old, errors, "data", "binaryData");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return (long) Trees.object(tree, "data").size()
                + Trees.object(tree, "binaryData").size();
    }
}
