package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** CSI drivers. */
record CsiDriverStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.putIfAbsent("attachRequired", true);
        spec.putIfAbsent("podInfoOnMount", false);
        spec.putIfAbsent("storageCapacity", false);
        spec.putIfAbsent("fsGroupPolicy", "ReadWriteOnceWithFSType");
        if (spec.array("volumeLifecycleModes").isEmpty()) {
            spec.put("volumeLifecycleModes", Trees.items("Persistent"));
        }
        spec.putIfAbsent("requiresRepublish", false);
        spec.putIfAbsent("seLinuxMount", false);
    }
}
