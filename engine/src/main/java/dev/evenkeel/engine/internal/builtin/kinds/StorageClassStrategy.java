package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Storage classes. */
record StorageClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.setIfEmpty("reclaimPolicy", "Delete");
        tree.setIfEmpty("volumeBindingMode", "Immediate");
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        if (tree.string("provisioner").isEmpty()) {
            errors.required("provisioner");
        }
        errors.oneOf("reclaimPolicy", tree.string("reclaimPolicy"), "Delete", "Retain");
        errors.oneOf("volumeBindingMode", tree.string("volumeBindingMode"), "Immediate", "WaitForFirstConsumer");
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!Objects.equals(tree.get(field), old.get(field))) {
                errors.forbidden(field, "updates to " + field + " are forbidden.");
            }
        }
        errors.immutable(tree, old, "volumeBindingMode");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Volumes.className(tree);
    }
}
