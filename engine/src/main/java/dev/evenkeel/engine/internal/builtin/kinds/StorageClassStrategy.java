package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.Objects;

/** Storage classes. */
record StorageClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("provisioner").require();
        root.at("reclaimPolicy").oneOf("Delete", "Retain");
        root.at("volumeBindingMode").oneOf("Immediate", "WaitForFirstConsumer");
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!Objects.equals(root.at(field).value(), old.get(field))) {
                root.at(field).forbidden("updates to " + field + " are forbidden.");
            }
        }
        root.immutable(old, "volumeBindingMode");
    }
}
