package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;

/** Network policies. */
record NetworkPolicyStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        JsonObject spec = tree.withObject("spec");
        if (spec.array("policyTypes").isEmpty()) {
            boolean egress = !spec.array("egress").isEmpty();
            spec.put("policyTypes", egress ? Trees.items("Ingress", "Egress") : Trees.items("Ingress"));
        }
    }

    @Override
    public void validate(Field root) {
        Selectors.validate(root.at("spec", "podSelector"));
        root.at("spec", "policyTypes").items().forEach(type -> type.oneOf("Egress", "Ingress"));
    }
}
