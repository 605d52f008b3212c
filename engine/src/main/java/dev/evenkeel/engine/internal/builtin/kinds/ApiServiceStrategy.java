package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType.Names;
import java.time.Instant;

/** API services. */
record ApiServiceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Names names() {
        return Names.PATH_SEGMENT;
    }

    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec", "service").ifPresent(AdmissionConfigurations::servicePort);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (column.equals("Service")) {
            return tree.has("spec", "service")
                    ? tree.string("spec", "service", "namespace") + "/" + tree.string("spec", "service", "name")
                    : "Local";
        }
        Object available = Trees.condition(tree, "Available");
        String status = available == null ? "Unknown" : Json.string(available, "status");
        return available == null || status.equals("True")
                ? status
                : status + " (" + Json.string(available, "reason") + ")";
    }
}
