package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Nodes: a new one is tainted until it is reported ready. */
record NodeStrategy(KindFacts facts) implements KindStrategy {
    private static final String ROLE = "node-role.kubernetes.io/";

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                spec -> {
                    String first = Json.string(spec, "podCIDR");
                    List<@Nullable Object> all = Trees.list(spec, "podCIDRs");
                    if (!first.isEmpty() && all.isEmpty()) {
                        spec.put("podCIDRs", Trees.items(first));
                    } else if (first.isEmpty() && !all.isEmpty() && all.getFirst() instanceof String cidr) {
                        spec.put("podCIDR", cidr);
                    }
                },
                "spec");
    }

    /** Keeps the status: kubelets register nodes with theirs. */
    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        List<@Nullable Object> taints = new ArrayList<>(Trees.list(spec, "taints"));
        taints.add(Trees.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule"));
        spec.put("taints", taints);
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Status" -> {
                Object ready = Trees.condition(tree, "Ready");
                String status =
                        ready == null ? "Unknown" : Json.string(ready, "status").equals("True") ? "Ready" : "NotReady";
                yield Trees.isTrue(tree, "spec", "unschedulable") ? status + ",SchedulingDisabled" : status;
            }
            case "Roles" -> CellRule.orNone(roles(Trees.object(tree, "metadata", "labels")));
            case "Internal-IP" -> address(tree, "InternalIP");
            case "External-IP" -> address(tree, "ExternalIP");
            default -> {
                String kernel = Json.string(tree, "status", "nodeInfo", "kernelVersion");
                String architecture = Json.string(tree, "status", "nodeInfo", "architecture");
                yield kernel.isEmpty()
                        ? "<unknown>"
                        : architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")";
            }
        };
    }

    private static String roles(Map<String, @Nullable Object> labels) {
        TreeSet<String> roles = new TreeSet<>();
        labels.forEach((label, value) -> {
            if (label.startsWith(ROLE) && label.length() > ROLE.length()) {
                roles.add(label.substring(ROLE.length()));
            } else if (label.equals("kubernetes.io/role") && value instanceof String role && !role.isEmpty()) {
                roles.add(role);
            }
        });
        return String.join(",", roles);
    }

    private static String address(Map<String, @Nullable Object> tree, String type) {
        for (Object address : Trees.list(tree, "status", "addresses")) {
            if (Json.string(address, "type").equals(type)) {
                return Json.string(address, "address");
            }
        }
        return "<none>";
    }
}
