package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.setIfEmpty("sessionAffinity", "None");
        if (spec.string("sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        } else if (spec.string("sessionAffinity").equals("ClientIP")) {
            spec.withObject("sessionAffinityConfig").withObject("clientIP").putIfAbsent("timeoutSeconds", 10_800L);
        }
        spec.setIfEmpty("type", "ClusterIP");
        spec.objects("ports").forEach(port -> {
            port.setIfEmpty("protocol", "TCP");
            Object target = port.get("targetPort");
            if (target == null || target.equals(0L) || target.equals("")) {
                port.put("targetPort", port.has("port") ? port.get("port") : 0L);
            }
        });
        String type = spec.string("type");
        if (type.equals("NodePort") || type.equals("LoadBalancer")) {
            spec.setIfEmpty("externalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            spec.putIfAbsent("allocateLoadBalancerNodePorts", true);
        }
        if (!type.equals("ExternalName")) {
            spec.putIfAbsent("internalTrafficPolicy", "Cluster");
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        allocate(tree.withObject("spec"), context.addresses());
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        JsonObject spec = tree.withObject("spec");
        JsonObject before = old.object("spec");
        boolean external = spec.string("type").equals("ExternalName");
        boolean wasExternal = before.string("type").equals("ExternalName");
        if (!external && !wasExternal) {
            for (String kept : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (!spec.has(kept) && (kept.startsWith("ip") || !spec.has("clusterIP"))) {
                    spec.copyMember(kept, before);
                }
            }
        } else if (external) {
            for (String gone : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (!before.has(gone) || Objects.equals(before.get(gone), spec.get(gone))) {
                    spec.remove(gone);
                }
            }
        }
        followAddress(spec, before);
        keepNodePorts(spec, before);
        allocate(spec, context.addresses());
    }

    /** Replaces the list of addresses when an update changes the single address and leaves the list unchanged. */
    private static void followAddress(JsonObject spec, JsonObject before) {
        String address = spec.string("clusterIP");
        if (!address.isEmpty()
                && !address.equals(before.string("clusterIP"))
                && Objects.equals(spec.get("clusterIPs"), before.get("clusterIPs"))) {
            spec.put("clusterIPs", Trees.items(address));
        }
    }

    /** Keeps the node port of a port that is sent without one. */
    private static void keepNodePorts(JsonObject spec, JsonObject before) {
        if (!needsNodePorts(spec) || !needsNodePorts(before)) {
            return;
        }
        spec.objects("ports").forEach(port -> {
            if (port.integer("nodePort") == 0) {
                before.objects("ports").forEach(was -> {
                    if (was.get("port") != null
                            && was.get("port").equals(port.get("port"))
                            && was.string("protocol").equals(port.string("protocol"))
                            && was.has("nodePort")) {
                        port.put("nodePort", was.get("nodePort"));
                    }
                });
            }
        });
    }

    private static void allocate(JsonObject spec, Addresses addresses) {
        if (spec.string("type").equals("ExternalName")) {
            return;
        }
        String address = spec.string("clusterIP");
        List<@Nullable Object> all = spec.array("clusterIPs");
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
        spec.putIfAbsent("clusterIPs", Trees.items(address));
        boolean both = headless && spec.object("selector").isEmpty();
        spec.putIfAbsent("ipFamilyPolicy", both ? "RequireDualStack" : "SingleStack");
        spec.putIfAbsent("ipFamilies", both ? Trees.items("IPv4", "IPv6") : Trees.items("IPv4"));
        if (needsNodePorts(spec)) {
            spec.objects("ports").forEach(port -> {
                if (port.integer("nodePort") == 0) {
                    port.put("nodePort", (long) addresses.nodePort());
                }
            });
        }
    }

    private static boolean needsNodePorts(JsonObject spec) {
        return switch (spec.string("type")) {
            case "NodePort" -> true;
            case "LoadBalancer" -> !Boolean.FALSE.equals(spec.get("allocateLoadBalancerNodePorts"));
            default -> false;
        };
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        String type = tree.string("spec", "type");
        List<@Nullable Object> ports = tree.array("spec", "ports");
        boolean headless = tree.string("spec", "clusterIP").equals("None");
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
            String name = tree.string("spec", "externalName");
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
        tree.object("spec", "selector").forEach((key, value) -> {
            errors.invalid("spec.selector", key, Names.qualified(key));
            errors.invalid("spec.selector", value, Names.labelValue(String.valueOf(value)));
        });
        errors.oneOf("spec.sessionAffinity", tree.string("spec", "sessionAffinity"), "ClientIP", "None");
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
            JsonObject key = JsonObject.of(
                    "protocol", Json.string(ports.get(i), "protocol"), "port", Json.integer(ports.get(i), "port"));
            if (!seen.add(Json.text(key))) {
                errors.add(FieldError.duplicate("spec.ports[" + i + "]", key));
            }
        }
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        boolean external = tree.string("spec", "type").equals("ExternalName");
        boolean wasExternal = old.string("spec", "type").equals("ExternalName");
        Object addresses = tree.at("spec", "clusterIPs");
        if (!external
                && !wasExternal
                && !old.string("spec", "clusterIP").isEmpty()
                && !Objects.equals(addresses, old.at("spec", "clusterIPs"))) {
            errors.invalid("spec.clusterIPs[0]", addresses, "may not change once set");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return column.equals("Port(s)") ? ports(tree) : external(tree);
    }

    private static String ports(JsonObject o) {
        List<String> ports = new ArrayList<>();
        o.objects("spec", "ports").forEach(port -> {
            long nodePort = port.integer("nodePort");
            ports.add(port.integer("port") + (nodePort > 0 ? ":" + nodePort : "") + "/" + port.string("protocol"));
        });
        return CellRule.orNone(String.join(",", ports));
    }

    private static String external(JsonObject o) {
        List<@Nullable Object> addresses = o.array("spec", "externalIPs");
        return switch (o.string("spec", "type")) {
            case "ClusterIP", "NodePort" -> CellRule.orNone(CellRule.join(addresses, ""));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(ingresses(o));
                addresses.forEach(address -> all.add(String.valueOf(address)));
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> o.string("spec", "externalName");
            default -> "<unknown>";
        };
    }

    /** Returns the addresses of the load balancer, of services and ingresses. */
    static List<String> ingresses(JsonObject o) {
        TreeSet<String> all = new TreeSet<>();
        o.objects("status", "loadBalancer", "ingress").forEach(ingress -> {
            String ip = ingress.string("ip");
            all.add(ip.isEmpty() ? ingress.string("hostname") : ip);
        });
        all.remove("");
        return List.copyOf(all);
    }
}
