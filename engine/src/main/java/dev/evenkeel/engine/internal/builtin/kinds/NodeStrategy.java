package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Nodes: a new one is tainted until it is reported ready. */
record NodeStrategy(KindFacts facts) implements KindStrategy {
    private static final String ROLE = "node-role.kubernetes.io/";

    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec").ifPresent(spec -> {
            String first = spec.string("podCIDR");
            List<@Nullable Object> all = spec.array("podCIDRs");
            if (!first.isEmpty() && all.isEmpty()) {
                spec.put("podCIDRs", Trees.items(first));
            } else if (first.isEmpty() && !all.isEmpty() && all.getFirst() instanceof String cidr) {
                spec.put("podCIDR", cidr);
            }
        });
    }

    /** Keeps the status: kubelets register nodes with theirs. */
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        JsonObject spec = tree.withObject("spec");
        List<@Nullable Object> taints = new ArrayList<>(spec.array("taints"));
        taints.add(JsonObject.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule"));
        spec.put("taints", taints);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Status" -> {
                Object ready = Trees.condition(tree, "Ready");
                String status =
                        ready == null ? "Unknown" : Json.string(ready, "status").equals("True") ? "Ready" : "NotReady";
                yield tree.bool("spec", "unschedulable") ? status + ",SchedulingDisabled" : status;
            }
            case "Roles" -> CellRule.orNone(roles(tree.object("metadata", "labels")));
            case "Internal-IP" -> address(tree, "InternalIP");
            case "External-IP" -> address(tree, "ExternalIP");
            default -> {
                String kernel = tree.string("status", "nodeInfo", "kernelVersion");
                String architecture = tree.string("status", "nodeInfo", "architecture");
                yield kernel.isEmpty()
                        ? "<unknown>"
                        : architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")";
            }
        };
    }

    private static String roles(JsonObject labels) {
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

    private static String address(JsonObject tree, String type) {
        for (Object address : tree.array("status", "addresses")) {
            if (Json.string(address, "type").equals(type)) {
                return Json.string(address, "address");
            }
        }
        return "<none>";
    }
}
