package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** CSI drivers. */
record CsiDriverStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fill(spec, "attachRequired", true);
        Trees.fill(spec, "podInfoOnMount", false);
        Trees.fill(spec, "storageCapacity", false);
        Trees.fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        if (Trees.list(spec, "volumeLifecycleModes").isEmpty()) {
            spec.put("volumeLifecycleModes", Trees.items("Persistent"));
        }
        Trees.fill(spec, "requiresRepublish", false);
        Trees.fill(spec, "seLinuxMount", false);
    }
}
