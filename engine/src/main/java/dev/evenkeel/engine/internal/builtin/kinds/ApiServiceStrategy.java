package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ResourceType.Names;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** API services. */
record ApiServiceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Names names() {
        return Names.PATH_SEGMENT;
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, AdmissionConfigurations::servicePort, "spec", "service");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        if (column.equals("Service")) {
            return Trees.has(tree, "spec", "service")
                    ? Json.string(tree, "spec", "service", "namespace") + "/"
                            + Json.string(tree, "spec", "service", "name")
                    : "Local";
        }
        Object available = Trees.condition(tree, "Available");
        String status = available == null ? "Unknown" : Json.string(available, "status");
        return available == null || status.equals("True")
                ? status
                : status + " (" + Json.string(available, "reason") + ")";
    }
}
