package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.Set;

/** Priority classes. */
record PriorityClassStrategy(KindFacts facts) implements KindStrategy {
    private static final Set<String> SYSTEM = Set.of("system-cluster-critical", "system-node-critical");

    @Override
    public boolean countsGeneration(String subresource) {
        return false;
    }

    @Override
    public void validate(Field root) {
        Field name = root.at("metadata", "name");
        if (name.text().startsWith("system-") && !SYSTEM.contains(name.text())) {
            name.forbidden("priority class names with 'system-' prefix are reserved for system use only. error: "
                    + name.text() + " is not a known system priority class");
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        if (root.at("value").number() != old.integer("value")) {
            root.at("value").forbidden("may not be changed in an update.");
        }
        root.immutable(old, "preemptionPolicy");
    }
}
