package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Persistent volumes. */
record PersistentVolumeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/pv-protection");
        tree.put("status", JsonObject.of("phase", "Pending", "lastPhaseTransitionTime", Times.seconds(context.now())));
    }

    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!tree.string("status", "phase").equals(old.string("status", "phase"))) {
            tree.withObject("status").put("lastPhaseTransitionTime", Times.seconds(context.now()));
        }
    }

    @Override
    public void validate(Field root) {
        Volumes.validateAccessModes(root.at("spec", "accessModes"));
        Field capacity = root.at("spec", "capacity");
        if (capacity.object().isEmpty()) {
            capacity.missing();
        } else if (!capacity.object().keySet().equals(Set.of("storage"))) {
            capacity.notSupported(capacity.value(), List.of("storage"));
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Access Modes" -> Volumes.accessModes(tree.array("spec", "accessModes"));
            case "Status" -> Volumes.phase(tree);
            default -> Volumes.storageClass(tree);
        };
    }
}
