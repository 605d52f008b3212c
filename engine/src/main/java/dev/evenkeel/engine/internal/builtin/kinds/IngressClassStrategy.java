package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Ingress classes. */
record IngressClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec", "parameters").ifPresent(parameters -> parameters.setIfEmpty("scope", "Cluster"));
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (!tree.has("spec", "parameters")) {
            return "<none>";
        }
        String group = tree.string("spec", "parameters", "apiGroup");
        return tree.string("spec", "parameters", "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + tree.string("spec", "parameters", "name");
    }
}
