package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.Map;
import java.util.Optional;

/** Priority classes. */
record PriorityClassStrategy(KindFacts facts) implements KindStrategy {
    private static final Map<String, Long> SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);
    private static final long HIGHEST = 1_000_000_000;

    @Override
    public boolean countsGeneration(String subresource) {
        return false;
    }

    @Override
    public void validate(Field root) {
        Field name = root.at("metadata", "name");
        Field value = root.at("value");
        if (name.text().startsWith("system-")) {
            systemProblem(root, name.text())
                    .ifPresent(problem -> name.forbidden(
                            "priority class names with 'system-' prefix are reserved for system use only. error: "
                                    + problem));
        } else if (value.number() > HIGHEST) {
            value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
        }
        Field preemption = root.at("preemptionPolicy");
        if (preemption.given() && preemption.require()) {
            preemption.oneOf("PreemptLowerPriority", "Never");
        }
    }

    /** Returns how a class differs from that of the system with its name. */
    private static Optional<String> systemProblem(Field root, String name) {
        Long value = SYSTEM.get(name);
        if (value == null) {
            return Optional.of(name + " is not a known system priority class");
        }
        if (root.at("value").number() != value) {
            return Optional.of("value of " + name + " PriorityClass must be " + value);
        }
        return root.object().bool("globalDefault")
                ? Optional.of("globalDefault of " + name + " PriorityClass must be false")
                : Optional.empty();
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        if (root.at("value").number() != old.integer("value")) {
            root.at("value").forbidden("may not be changed in an update.");
        }
        root.immutable(old, "preemptionPolicy");
    }
}
