package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Services get addresses and node ports, but traffic is not routed to them. */
record ServiceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public ResourceType.Names names() {
        return ResourceType.Names.LABEL;
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillText(spec, "sessionAffinity", "None");
        if (Json.string(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        } else if (Json.string(spec, "sessionAffinity").equals("ClientIP")) {
            Trees.fill(Trees.grow(Trees.grow(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds", 10_800L);
        }
        Trees.fillText(spec, "type", "ClusterIP");
        Trees.each(
                spec,
                port -> {
                    Trees.fillText(port, "protocol", "TCP");
                    Object target = port.get("targetPort");
                    if (target == null || target.equals(0L) || target.equals("")) {
                        port.put("targetPort", Trees.has(port, "port") ? port.get("port") : 0L);
                    }
                },
                "ports");
        String type = Json.string(spec, "type");
        if (type.equals("NodePort") || type.equals("LoadBalancer")) {
            Trees.fillText(spec, "externalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            Trees.fill(spec, "allocateLoadBalancerNodePorts", true);
        }
        if (!type.equals("ExternalName")) {
            Trees.fill(spec, "internalTrafficPolicy", "Cluster");
        }
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        allocate(Trees.grow(tree, "spec"), context.addresses());
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Map<String, @Nullable Object> before = Trees.object(old, "spec");
        boolean external = Json.string(spec, "type").equals("ExternalName");
        boolean wasExternal = Json.string(before, "type").equals("ExternalName");
        if (!external && !wasExternal) {
            for (String kept : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (!Trees.has(spec, kept) && (kept.startsWith("ip") || !Trees.has(spec, "clusterIP"))) {
                    Trees.carry(before, spec, kept);
                }
            }
        } else if (external) {
            for (String gone : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (!Trees.has(before, gone) || Objects.equals(before.get(gone), spec.get(gone))) {
                    spec.remove(gone);
                }
            }
        }
        followAddress(spec, before);
        keepNodePorts(spec, before);
        allocate(spec, context.addresses());
    }

    /** Replaces the list of addresses when an update changes the single address and leaves the list unchanged. */
    private static void followAddress(Map<String, @Nullable Object> spec, Map<String, @Nullable Object> before) {
        String address = Json.string(spec, "clusterIP");
        if (!address.isEmpty()
                && !address.equals(Json.string(before, "clusterIP"))
                && Objects.equals(spec.get("clusterIPs"), before.get("clusterIPs"))) {
            spec.put("clusterIPs", Trees.items(address));
        }
    }

    /** Keeps the node port of a port that is sent without one. */
    private static void keepNodePorts(Map<String, @Nullable Object> spec, Map<String, @Nullable Object> before) {
        if (!needsNodePorts(spec) || !needsNodePorts(before)) {
            return;
        }
        Trees.each(
                spec,
                port -> {
                    if (Json.integer(port, "nodePort") == 0) {
                        Trees.each(
                                before,
                                was -> {
                                    if (was.get("port") != null
                                            && was.get("port").equals(port.get("port"))
                                            && Json.string(was, "protocol").equals(Json.string(port, "protocol"))
                                            && Trees.has(was, "nodePort")) {
                                        port.put("nodePort", was.get("nodePort"));
                                    }
                                },
                                "ports");
                    }
                },
                "ports");
    }

    private static void allocate(Map<String, @Nullable Object> spec, Addresses addresses) {
        if (Json.string(spec, "type").equals("ExternalName")) {
            return;
        }
        String address = Json.string(spec, "clusterIP");
        List<@Nullable Object> all = Trees.list(spec, "clusterIPs");
        if (address.isEmpty() && !all.isEmpty() && all.getFirst() instanceof String first) {
            address = first;
        }
        boolean headless = address.equals("None");
        if (address.isEmpty()) {
            address = addresses.address();
        } else if (!headless) {
            addresses.take(address);
        }
        spec.put("clusterIP", address);
        Trees.fill(spec, "clusterIPs", Trees.items(address));
        boolean both = headless && Trees.object(spec, "selector").isEmpty();
        Trees.fill(spec, "ipFamilyPolicy", both ? "RequireDualStack" : "SingleStack");
        Trees.fill(spec, "ipFamilies", both ? Trees.items("IPv4", "IPv6") : Trees.items("IPv4"));
        if (needsNodePorts(spec)) {
            Trees.each(
                    spec,
                    port -> {
                        if (Json.integer(port, "nodePort") == 0) {
                            port.put("nodePort", (long) addresses.nodePort());
                        }
                    },
                    "ports");
        }
    }

    private static boolean needsNodePorts(Map<String, @Nullable Object> spec) {
        return switch (Json.string(spec, "type")) {
            case "NodePort" -> true;
            case "LoadBalancer" -> !Boolean.FALSE.equals(spec.get("allocateLoadBalancerNodePorts"));
            default -> false;
        };
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        String type = Json.string(tree, "spec", "type");
        List<@Nullable Object> ports = Trees.list(tree, "spec", "ports");
        boolean headless = Json.string(tree, "spec", "clusterIP").equals("None");
        if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
            errors.required("spec.ports");
        }
        if (type.equals("LoadBalancer") && headless) {
            errors.invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for LoadBalancer services");
        }
        if (type.equals("NodePort") && headless) {
            errors.invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for NodePort services");
        }
        if (type.equals("ExternalName")) {
            String name = Json.string(tree, "spec", "externalName");
            String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
            if (bare.isEmpty()) {
                errors.required("spec.externalName");
            } else {
                errors.invalid("spec.externalName", name, Names.subdomain(bare));
            }
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            port(ports.get(i), "spec.ports[" + i + "]", ports.size() > 1, names, errors);
        }
        Trees.object(tree, "spec", "selector").forEach((key, value) -> {
            errors.invalid("spec.selector", key, Names.qualified(key));
            errors.invalid("spec.selector", value, Names.labelValue(String.valueOf(value)));
        });
        errors.oneOf("spec.sessionAffinity", Json.string(tree, "spec", "sessionAffinity"), "ClientIP", "None");
        errors.oneOf("spec.type", type, "ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
        duplicatePorts(ports, errors);
    }

    private static void port(@Nullable Object port, String at, boolean several, Set<String> names, FieldErrors errors) {
        String name = Json.string(port, "name");
        if (name.isEmpty()) {
            if (several) {
                errors.required(at + ".name");
            }
        } else {
            List<String> wrong = Names.label(name);
            errors.invalid(at + ".name", name, wrong);
            if (wrong.isEmpty() && !names.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", name));
            }
        }
        errors.port(at + ".port", Json.at(port, "port"));
        String protocol = Json.string(port, "protocol");
        if (protocol.isEmpty()) {
            errors.required(at + ".protocol");
        } else {
            errors.oneOf(at + ".protocol", protocol, "SCTP", "TCP", "UDP");
        }
        Object target = Json.at(port, "targetPort");
        if (target instanceof String text) {
            errors.invalid(at + ".targetPort", text, PortNames.wrong(text));
        } else {
            errors.port(at + ".targetPort", target);
        }
        Object nodePort = Json.at(port, "nodePort");
        if (nodePort instanceof Long number && number != 0) {
            errors.port(at + ".nodePort", nodePort);
        }
    }

    private static void duplicatePorts(List<@Nullable Object> ports, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            Map<String, @Nullable Object> key = Trees.of(
                    "protocol", Json.string(ports.get(i), "protocol"), "port", Json.integer(ports.get(i), "port"));
            if (!seen.add(Json.text(key))) {
                errors.add(FieldError.duplicate("spec.ports[" + i + "]", key));
            }
        }
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        boolean external = Json.string(tree, "spec", "type").equals("ExternalName");
        boolean wasExternal = Json.string(old, "spec", "type").equals("ExternalName");
        Object addresses = Json.at(tree, "spec", "clusterIPs");
        if (!external
                && !wasExternal
                && !Json.string(old, "spec", "clusterIP").isEmpty()
                && !Objects.equals(addresses, Json.at(old, "spec", "clusterIPs"))) {
            errors.invalid("spec.clusterIPs[0]", addresses, "may not change once set");
        }
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return column.equals("Port(s)") ? ports(tree) : external(tree);
    }

    private static String ports(Map<String, @Nullable Object> o) {
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
        return CellRule.orNone(String.join(",", ports));
    }

    private static String external(Map<String, @Nullable Object> o) {
        List<@Nullable Object> addresses = Trees.list(o, "spec", "externalIPs");
        return switch (Json.string(o, "spec", "type")) {
            case "ClusterIP", "NodePort" -> CellRule.orNone(CellRule.join(addresses, ""));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(ingresses(o));
                addresses.forEach(address -> all.add(String.valueOf(address)));
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> Json.string(o, "spec", "externalName");
            default -> "<unknown>";
        };
    }

    /** Returns the addresses of the load balancer, of services and ingresses. */
    static List<String> ingresses(Map<String, @Nullable Object> o) {
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
}
