package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;

/** Sets the metadata that only the server sets, and lets the kind complete the object that will be stored. */
record PrepareStep(WriteContext cluster) implements WriteStep {
    @Override
    public String name() {
        return "prepare";
    }

    @Override
    public void run(Write write) {
        Target target = write.target();
        ResourceType type = target.type();
        ResourceStrategy strategy = cluster.strategies().of(target);
        JsonObject metadata = write.metadata();
        JsonObject old = write.old();
        if (write.operation() == Operation.CREATE) {
            metadata.put("uid", cluster.uuid());
            metadata.put("creationTimestamp", cluster.now());
            if (type.rules().generation()) {
                metadata.put("generation", 1L);
            }
            strategy.prepareForCreate(write.tree(), cluster.context());
        } else if (write.operation() == Operation.UPDATE && old != null) {
            strategy.prepareForUpdate(write.tree(), old, target.subresource(), cluster.context());
            if (type.rules().generation()
                    && strategy.countsGeneration(target.subresource())
                    && !counted(write.tree(), target).equals(counted(old, target))) {
                metadata.put("generation", old.withObject("metadata").integer("generation") + 1);
            }
        }
    }

    /**
     * Returns the part of an object that generations count: all but metadata and, where it is a subresource, status.
     */
    private static JsonObject counted(JsonObject tree, Target target) {
        JsonObject counted = new JsonObject(tree);
        counted.remove("metadata");
        if (target.version().status() || target.type().origin() == ResourceType.Origin.BUILT_IN) {
            counted.remove("status");
        }
        return counted;
    }
}
