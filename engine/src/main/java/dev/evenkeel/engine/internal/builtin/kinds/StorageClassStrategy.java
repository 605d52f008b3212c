package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Storage classes. */
record StorageClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.fillText(tree, "reclaimPolicy", "Delete");
        Trees.fillText(tree, "volumeBindingMode", "Immediate");
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        if (Json.string(tree, "provisioner").isEmpty()) {
            errors.required("provisioner");
        }
        errors.oneOf("reclaimPolicy", Json.string(tree, "reclaimPolicy"), "Delete", "Retain");
        errors.oneOf("volumeBindingMode", Json.string(tree, "volumeBindingMode"), "Immediate", "WaitForFirstConsumer");
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!Objects.equals(Json.at(tree, field), Json.at(old, field))) {
                errors.forbidden(field, "updates to " + field + " are forbidden.");
            }
        }
        errors.immutable(tree, old, "volumeBindingMode");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return Volumes.className(tree);
    }
}
