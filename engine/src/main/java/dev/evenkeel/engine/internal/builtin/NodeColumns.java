package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of nodes. */
final class NodeColumns {
    private static final String ROLE = "node-role.kubernetes.io/";

    private NodeColumns() {}

    static List<@Nullable Object> cells(Map<String, @Nullable Object> o, Instant now) {
        List<String> status = new ArrayList<>();
        for (Object condition : Trees.list(o, "status", "conditions")) {
            if (Json.string(condition, "type").equals("Ready")) {
                status.add(Json.string(condition, "status").equals("True") ? "Ready" : "NotReady");
            }
        }
        if (status.isEmpty()) {
            status.add("Unknown");
        }
        if (Trees.isTrue(o, "spec", "unschedulable")) {
            status.add("SchedulingDisabled");
        }
        String kernel = Json.string(o, "status", "nodeInfo", "kernelVersion");
        String architecture = Json.string(o, "status", "nodeInfo", "architecture");
        if (!kernel.isEmpty() && !architecture.isEmpty()) {
            kernel += " (" + architecture + ")";
        }
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                String.join(",", status),
                BuiltinColumns.none(roles(Trees.object(o, "metadata", "labels"))),
                BuiltinColumns.age(o, now),
                Json.string(o, "status", "nodeInfo", "kubeletVersion"),
                address(o, "InternalIP"),
                address(o, "ExternalIP"),
                BuiltinColumns.unknown(Json.string(o, "status", "nodeInfo", "osImage")),
                BuiltinColumns.unknown(kernel),
                BuiltinColumns.unknown(Json.string(o, "status", "nodeInfo", "containerRuntimeVersion")));
    }

    private static String roles(Map<String, @Nullable Object> labels) {
        List<String> roles = new ArrayList<>();
        labels.forEach((label, value) -> {
            if (label.startsWith(ROLE) && label.length() > ROLE.length()) {
                roles.add(label.substring(ROLE.length()));
            } else if (label.equals("kubernetes.io/role") && value instanceof String role && !role.isEmpty()) {
                roles.add(role);
            }
        });
        return String.join(",", roles.stream().distinct().sorted().toList());
    }

    private static String address(Map<String, @Nullable Object> o, String type) {
        for (Object address : Trees.list(o, "status", "addresses")) {
            if (Json.string(address, "type").equals(type)) {
                return Json.string(address, "address");
            }
        }
        return "<none>";
    }
}
