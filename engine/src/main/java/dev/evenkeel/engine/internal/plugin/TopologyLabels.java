package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Set;

/** The plugin PodTopologyLabels: pods get the zone and the region of their node as labels, when they are bound to it. */
record TopologyLabels(WriteContext cluster) implements Plugin {
    private static final List<String> LABELS = List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    @Override
    public Set<String> types() {
        return Set.of("pods");
    }

    @Override
    public void mutate(Write write) {
        if (Plugin.creates(write)) {
            copy(write.tree().string("spec", "nodeName"), write.tree());
        }
    }

    /** Labels a binding, whose labels the pod will get. */
    @Override
    public void mutate(Target target, JsonObject document) {
        if (target.subresource().equals("binding")
                && document.string("target", "kind").equals("Node")) {
            copy(document.string("target", "name"), document);
        }
    }

    private void copy(String node, JsonObject to) {
        JsonObject labels = node.isEmpty()
                ? new JsonObject()
                : cluster.object("nodes", "", node).orElseGet(JsonObject::new).object("metadata", "labels");
        for (String label : LABELS) {
            if (labels.containsKey(label)) {
                to.withObject("metadata").withObject("labels").put(label, labels.get(label));
            }
        }
    }
}
