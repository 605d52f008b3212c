package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Network policies. */
record NetworkPolicyStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        if (Trees.list(spec, "policyTypes").isEmpty()) {
            spec.put(
                    "policyTypes",
                    Trees.list(spec, "egress").isEmpty() ? Trees.items("Ingress") : Trees.items("Ingress", "Egress"));
        }
        for (String direction : List.of("ingress", "egress")) {
            Trees.each(
                    spec,
                    rule -> Trees.each(rule, port -> Trees.fillText(port, "protocol", "TCP"), "ports"),
                    direction);
        }
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        SelectorValidation.selector(Trees.object(tree, "spec", "podSelector"), "spec.podSelector", errors);
        List<@Nullable Object> types = Trees.list(tree, "spec", "policyTypes");
        for (int i = 0; i < types.size(); i++) {
            errors.oneOf("spec.policyTypes[" + i + "]", String.valueOf(types.get(i)), "Egress", "Ingress");
        }
    }
}
