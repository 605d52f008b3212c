package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Bindings of validating and mutating admission policies. */
record AdmissionPolicyBindingStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (!tree.has("spec", "paramRef")) {
            return "<unset>";
        }
        String name = tree.string("spec", "paramRef", "name");
        String namespace = tree.string("spec", "paramRef", "namespace");
        return name.isEmpty()
                ? CellRule.orNone(Selectors.text(tree.object("spec", "paramRef", "selector")))
                : (namespace.isEmpty() ? "*" : namespace) + "/" + name;
    }
}
