package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;

/** CSI storage capacities. */
record CsiStorageCapacityStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("storageClassName").obeys(Names::subdomain);
        if (root.at("nodeTopology").given()) {
            Selectors.validate(root.at("nodeTopology"));
        }
        for (String name : List.of("capacity", "maximumVolumeSize")) {
            FormatRules.quantity(root.at(name))
                    .filter(amount -> amount.value().signum() < 0)
                    .ifPresent(amount -> root.at(name).invalid(amount.text(), "must be greater than or equal to 0"));
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "nodeTopology");
        root.immutable(old, "storageClassName");
    }
}
