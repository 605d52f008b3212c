package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Network policies. */
record NetworkPolicyStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        if (spec.array("policyTypes").isEmpty()) {
            spec.put(
                    "policyTypes",
                    spec.array("egress").isEmpty() ? Trees.items("Ingress") : Trees.items("Ingress", "Egress"));
        }
        for (String direction : List.of("ingress", "egress")) {
            spec.objects(direction)
                    .forEach(rule -> rule.objects("ports").forEach(port -> port.setIfEmpty("protocol", "TCP")));
        }
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        SelectorValidation.selector(tree.object("spec", "podSelector"), "spec.podSelector", errors);
        List<@Nullable Object> types = tree.array("spec", "policyTypes");
        for (int i = 0; i < types.size(); i++) {
            errors.oneOf("spec.policyTypes[" + i + "]", String.valueOf(types.get(i)), "Egress", "Ingress");
        }
    }
}
