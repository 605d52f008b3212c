package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The cells of kinds that need no code but for their columns; {@link CellRule} has those that are values at a path. */
final class Cells {
    private Cells() {}

    /** The parameters of a binding of an admission policy. */
    static Object paramRef(String column, JsonObject tree) {
        if (!tree.has("spec", "paramRef")) {
            return "<unset>";
        }
        String name = tree.string("spec", "paramRef", "name");
        String namespace = tree.string("spec", "paramRef", "namespace");
        if (!name.isEmpty()) {
            return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
        }
        return tree.has("spec", "paramRef", "selector")
                ? Selectors.structText(tree.object("spec", "paramRef", "selector"))
                : "<unset>";
    }

    /** The condition Available of an API service. */
    static Object availability(String column, JsonObject tree) {
        Object available = Trees.condition(tree, "Available");
        String status = available == null ? "Unknown" : Json.string(available, "status");
        String reason = Json.string(available, "reason");
        return status.equals("True") || reason.isEmpty() ? status : status + " (" + reason + ")";
    }

    /** The condition Healthy of a component. */
    static Object componentStatus(String column, JsonObject tree) {
        Object healthy = tree.array("conditions").stream()
                .filter(condition -> Json.string(condition, "type").equals("Healthy"))
                .findFirst()
                .orElse(null);
        return !column.equals("Status")
                ? Json.string(healthy, column.toLowerCase(Locale.ROOT))
                : healthy == null ? "Unknown" : Json.string(healthy, "status").equals("True") ? "Healthy" : "Unhealthy";
    }

    /** The owner of a controller revision. */
    static Object controller(String column, JsonObject tree) {
        for (Object owner : tree.array("metadata", "ownerReferences")) {
            if (Trees.isTrue(owner, "controller")) {
                String version = Json.string(owner, "apiVersion");
                int slash = version.indexOf('/');
                String kind = Json.string(owner, "kind").toLowerCase(Locale.ROOT);
                return (slash < 0 ? kind : kind + "." + version.substring(0, slash)) + "/" + Json.string(owner, "name");
            }
        }
        return "<none>";
    }

    /** The ports or addresses of an endpoint slice. */
    static Object endpointSlice(String column, JsonObject tree) {
        List<String> all = new ArrayList<>();
        if (column.equals("Ports")) {
            for (JsonObject port : tree.objects("ports")) {
                Object number = port.get("port");
                all.add(number == null ? port.string("name") : number.toString());
            }
        } else {
            tree.objects("endpoints").forEach(endpoint -> all.addAll(endpoint.strings("addresses")));
        }
        String shown = CellRule.firstThree(all);
        return shown.isEmpty() ? "<unset>" : shown;
    }

    /** The addresses of endpoints that are ready, with each port. */
    static Object endpoints(String column, JsonObject tree) {
        List<String> all = new ArrayList<>();
        for (JsonObject subset : tree.objects("subsets")) {
            List<String> addresses = subset.objects("addresses").stream()
                    .map(address -> address.string("ip"))
                    .toList();
            List<JsonObject> ports = subset.objects("ports");
            if (ports.isEmpty()) {
                all.addAll(addresses);
            }
            for (JsonObject port : ports) {
                addresses.forEach(ip -> all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port.integer("port")));
            }
        }
        return tree.array("subsets").isEmpty() ? "<none>" : CellRule.firstThree(all);
    }

    /** The condition Dangling of a flow schema. */
    static Object missingPriorityLevel(String column, JsonObject tree) {
        Object dangling = Trees.condition(tree, "Dangling");
        return dangling == null ? "?" : Json.string(dangling, "status");
    }

    /** The parameters of an ingress class. */
    static Object parameters(String column, JsonObject tree) {
        if (!tree.has("spec", "parameters")) {
            return "<none>";
        }
        JsonObject parameters = tree.object("spec", "parameters");
        String group = parameters.string("apiGroup");
        return parameters.string("kind") + (group.isEmpty() ? "" : "." + group) + "/" + parameters.string("name");
    }

    /** The state of a resource claim. */
    static Object claimState(String column, JsonObject tree) {
        List<String> states = new ArrayList<>();
        if (tree.has("metadata", "deletionTimestamp")) {
            states.add("deleted");
        }
        if (tree.has("status", "allocation")) {
            states.add("allocated");
            if (!tree.array("status", "reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (states.isEmpty()) {
            states.add("pending");
        }
        return String.join(",", states);
    }

    /** The used and the allowed amounts of a resource quota. */
    static Object quota(String column, JsonObject tree) {
        return new TreeMap<>(tree.object("status", "hard"))
                .entrySet().stream()
                        .filter(hard -> hard.getKey().startsWith("limits.") == column.equals("Limit"))
                        .map(hard -> {
                            Object used = tree.at("status", "used", hard.getKey());
                            return hard.getKey() + ": " + (used == null ? "0" : used) + "/" + hard.getValue();
                        })
                        .collect(Collectors.joining(", "));
    }
}
