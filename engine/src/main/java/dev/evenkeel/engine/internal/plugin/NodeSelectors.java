package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Set;

/** The plugin PodNodeSelector: new pods get the node selector that an annotation of their namespace contains. */
record NodeSelectors(WriteContext cluster) implements Plugin {
    private static final String ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";

    @Override
    public Set<String> types() {
        return Set.of("pods");
    }

    @Override
    public void mutate(Write write) {
        if (!Plugin.creates(write)) {
            return;
        }
        String annotated = cluster.object("namespaces", "", write.target().namespace())
                .map(namespace -> namespace.string("metadata", "annotations", ANNOTATION))
                .orElse("");
        if (annotated.isBlank()) {
            return;
        }
        JsonObject selector = write.tree().withObject("spec").withObject("nodeSelector");
        for (String each : annotated.split(",", -1)) {
            int equals = each.indexOf('=');
            String key = each.substring(0, Math.max(0, equals)).strip();
            if (key.isEmpty()) {
                throw Plugin.refuse(write, "invalid selector: " + annotated);
            }
            String value = each.substring(equals + 1).strip();
            Object present = selector.putIfAbsent(key, value);
            if (present != null && !present.equals(value)) {
                throw Plugin.refuse(write, "pod node label selector conflicts with its namespace node label selector");
            }
        }
    }
}
