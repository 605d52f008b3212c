package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Ingress classes. */
record IngressClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (!tree.has("spec", "parameters")) {
            return "<none>";
        }
        JsonObject parameters = tree.object("spec", "parameters");
        String group = parameters.string("apiGroup");
        return parameters.string("kind") + (group.isEmpty() ? "" : "." + group) + "/" + parameters.string("name");
    }
}
