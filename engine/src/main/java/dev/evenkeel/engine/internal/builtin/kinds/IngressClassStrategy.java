package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ingress classes. */
record IngressClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, parameters -> Trees.fillText(parameters, "scope", "Cluster"), "spec", "parameters");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        if (!Trees.has(tree, "spec", "parameters")) {
            return "<none>";
        }
        String group = Json.string(tree, "spec", "parameters", "apiGroup");
        return Json.string(tree, "spec", "parameters", "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + Json.string(tree, "spec", "parameters", "name");
    }
}
