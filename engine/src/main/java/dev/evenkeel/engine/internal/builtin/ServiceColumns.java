package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cells of services and what belongs to them. */
final class ServiceColumns {
    private ServiceColumns() {}

    static List<@Nullable Object> service(Map<String, @Nullable Object> o, Instant now) {
        List<String> ports = new ArrayList<>();
        Trees.each(
                o,
                port -> {
                    long nodePort = Json.integer(port, "nodePort");
                    ports.add(Json.integer(port, "port") + (nodePort > 0 ? ":" + nodePort : "") + "/"
                            + Json.string(port, "protocol"));
                },
                "spec",
                "ports");
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                Json.string(o, "spec", "type"),
                BuiltinColumns.none(Json.string(o, "spec", "clusterIP")),
                external(o),
                BuiltinColumns.none(String.join(",", ports)),
                BuiltinColumns.age(o, now),
                BuiltinColumns.labels(Trees.object(o, "spec", "selector")));
    }

    private static String external(Map<String, @Nullable Object> o) {
        List<@Nullable Object> addresses = Trees.list(o, "spec", "externalIPs");
        return switch (Json.string(o, "spec", "type")) {
            case "ClusterIP", "NodePort" -> BuiltinColumns.none(BuiltinColumns.words(addresses));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(ingresses(o));
                addresses.forEach(address -> all.add(String.valueOf(address)));
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> Json.string(o, "spec", "externalName");
            default -> "<unknown>";
        };
    }

    private static List<String> ingresses(Map<String, @Nullable Object> o) {
        TreeSet<String> all = new TreeSet<>();
        Trees.each(
                o,
                ingress -> {
                    String ip = Json.string(ingress, "ip");
                    all.add(ip.isEmpty() ? Json.string(ingress, "hostname") : ip);
                },
                "status",
                "loadBalancer",
                "ingress");
        all.remove("");
        return List.copyOf(all);
    }

    static List<@Nullable Object> endpoints(Map<String, @Nullable Object> o, Instant now) {
        List<String> all = new ArrayList<>();
        Trees.each(
                o,
                subset -> {
                    List<@Nullable Object> ports = Trees.list(subset, "ports");
                    for (Object address : Trees.list(subset, "addresses")) {
                        String ip = Json.string(address, "ip");
                        if (ports.isEmpty()) {
                            all.add(ip);
                        }
                        for (Object port : ports) {
                            String host = ip.contains(":") ? "[" + ip + "]" : ip;
                            all.add(host + ":" + Json.integer(port, "port"));
                        }
                    }
                },
                "subsets");
        return BuiltinColumns.row(
                BuiltinColumns.name(o), BuiltinColumns.none(firstThree(all)), BuiltinColumns.age(o, now));
    }

    private static String firstThree(List<String> all) {
        return all.size() <= 3
                ? String.join(",", all)
                : String.join(",", all.subList(0, 3)) + " + " + (all.size() - 3) + " more...";
    }

    static List<@Nullable Object> endpointSlice(Map<String, @Nullable Object> o, Instant now) {
        List<String> ports = new ArrayList<>();
        Trees.each(
                o,
                port -> {
                    Object number = port.get("port");
                    String name = Json.string(port, "name");
                    ports.add(number != null ? number.toString() : name.isEmpty() ? "*" : name);
                },
                "ports");
        List<String> addresses = new ArrayList<>();
        Trees.each(
                o,
                endpoint ->
                        Trees.list(endpoint, "addresses").forEach(address -> addresses.add(String.valueOf(address))),
                "endpoints");
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                Json.string(o, "addressType"),
                BuiltinColumns.unset(firstThree(ports)),
                BuiltinColumns.unset(firstThree(addresses)),
                BuiltinColumns.age(o, now));
    }

    static List<@Nullable Object> ingress(Map<String, @Nullable Object> o, Instant now) {
        List<String> hosts = new ArrayList<>();
        Trees.each(
                o,
                rule -> {
                    String host = Json.string(rule, "host");
                    if (!host.isEmpty()) {
                        hosts.add(host);
                    }
                },
                "spec",
                "rules");
        String shown = hosts.isEmpty()
                ? "*"
                : hosts.size() <= 3
                        ? String.join(",", hosts)
                        : String.join(",", hosts.subList(0, 3)) + " + " + (hosts.size() - 3) + " more...";
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                BuiltinColumns.none(Json.string(o, "spec", "ingressClassName")),
                shown,
                String.join(",", ingresses(o)),
                Trees.list(o, "spec", "tls").isEmpty() ? "80" : "80, 443",
                BuiltinColumns.age(o, now));
    }
}
