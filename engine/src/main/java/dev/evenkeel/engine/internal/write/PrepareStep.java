package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        Map<String, @Nullable Object> metadata = write.metadata();
        Map<String, @Nullable Object> old = write.old();
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
                metadata.put("generation", Json.integer(Metadata.of(old), "generation") + 1);
            }
        }
    }

    /**
     * Returns the part of an object that generations count: all but metadata and, where it is a subresource, status.
     */
    private static Map<String, @Nullable Object> counted(Map<String, @Nullable Object> tree, Target target) {
        Map<String, @Nullable Object> counted = new LinkedHashMap<>(tree);
        counted.remove("metadata");
        if (target.version().status() || target.type().origin() == ResourceType.Origin.BUILT_IN) {
            counted.remove("status");
        }
        return counted;
    }
}
