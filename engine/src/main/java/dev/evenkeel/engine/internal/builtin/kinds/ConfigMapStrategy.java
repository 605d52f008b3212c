package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;

/** Config maps. */
record ConfigMapStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field data = root.at("data");
        JsonObject binary = root.object().object("binaryData");
        ConfigData.validateKeys(data);
        for (String key : data.object().keySet()) {
            if (binary.containsKey(key)) {
                data.entry(key).invalid(key, "duplicate of key present in binaryData");
            }
        }
        ConfigData.validateKeys(root.at("binaryData"));
        if (ConfigData.textBytes(data.object()) + ConfigData.decodedBytes(binary) > ConfigData.MAX_BYTES) {
            root.at("[]").tooLong(ConfigData.MAX_BYTES);
        }
    }

    @Override
    public boolean checksChangeFirst() {
        return true;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        ConfigData.validateFrozen(root, old, "data", "binaryData");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return (long) tree.object("data").size() + tree.object("binaryData").size();
    }
}
