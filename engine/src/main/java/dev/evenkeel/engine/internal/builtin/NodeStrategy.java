package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes: a new one is tainted until something says that it is ready. */
final class NodeStrategy implements Strategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Defaults.node(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        List<@Nullable Object> taints = new ArrayList<>(Trees.list(spec, "taints"));
        taints.add(Trees.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule"));
        spec.put("taints", taints);
    }
}
