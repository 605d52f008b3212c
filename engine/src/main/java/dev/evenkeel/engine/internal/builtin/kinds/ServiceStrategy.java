package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Services get addresses and node ports, but traffic is not routed to them. */
record ServiceStrategy(KindFacts facts) implements KindStrategy {
    private static final long LONGEST_AFFINITY = 86_400;
    static final String HEALTH_PORT = "healthCheckNodePort";
    private static final List<String> ADDRESSING = List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        JsonObject spec = tree.withObject("spec");
        if (spec.string("sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
        spec.objects("ports").forEach(port -> {
            Object target = port.get("targetPort");
            if (target == null || target.equals(0L) || target.equals("")) {
                port.put("targetPort", port.has("port") ? port.get("port") : 0L);
            }
        });
        if (!isExternal(spec)) {
            spec.putIfAbsent("internalTrafficPolicy", "Cluster");
        }
        if (spec.string("type").equals("ClusterIP")
                && !spec.array("externalIPs").isEmpty()) {
            spec.putIfAbsent("externalTrafficPolicy", "Cluster");
        }
        if (isBalanced(spec)) {
            tree.objects("status", "loadBalancer", "ingress").stream()
                    .filter(ingress -> !ingress.string("ip").isEmpty())
                    .forEach(ingress -> ingress.putIfAbsent("ipMode", "VIP"));
        }
    }

    static boolean isExternal(JsonObject spec) {
        return spec.string("type").equals("ExternalName");
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        ServiceAllocation.allocate(tree, new JsonObject(), context.addresses());
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        JsonObject spec = tree.withObject("spec");
        JsonObject before = old.object("spec");
        if (isExternal(spec) && !isExternal(before)) {
            ADDRESSING.forEach(gone -> drop(spec, before, gone));
        } else if (!isExternal(spec) && !isExternal(before)) {
            for (String kept : List.of("clusterIP", "ipFamilyPolicy")) {
                if (!spec.has(kept)) {
                    spec.copyMember(kept, before);
                }
            }
        }
        followAddress(spec, before);
        dropUnused(spec, before);
        keepNodePorts(spec, before);
        if (needsHealthCheck(before) && !needsHealthCheck(spec)) {
            drop(spec, before, HEALTH_PORT);
        } else if (needsHealthCheck(before) && spec.integer(HEALTH_PORT) == 0) {
            spec.copyMember(HEALTH_PORT, before);
        }
        if (!isBalanced(spec) && tree.has("status", "loadBalancer")) {
            tree.withObject("status").put("loadBalancer", new JsonObject());
        }
        ServiceAllocation.allocate(tree, before, context.addresses());
    }

    /** Drops what the new type does not use, if the change of the type leaves it as it was. */
    private static void dropUnused(JsonObject spec, JsonObject before) {
        boolean same = spec.string("type").equals(before.string("type"));
        if (opensNodePorts(before) && !opensNodePorts(spec) && nodePorts(before).containsAll(nodePorts(spec))) {
            spec.objects("ports").forEach(port -> port.remove("nodePort"));
        }
        if (isReachable(before) && !isReachable(spec)) {
            drop(spec, before, "externalTrafficPolicy");
        }
        if (isExternal(spec) && !same) {
            drop(spec, before, "internalTrafficPolicy");
        }
        if (!same && before.string("type").equals("LoadBalancer")) {
            drop(spec, before, "allocateLoadBalancerNodePorts");
            drop(spec, before, "loadBalancerClass");
        }
    }

    private static boolean opensNodePorts(JsonObject spec) {
        return List.of("LoadBalancer", "NodePort").contains(spec.string("type"));
    }

    /** Returns whether a service can be reached from outside of its cluster. */
    static boolean isReachable(JsonObject spec) {
        return opensNodePorts(spec)
                || (spec.string("type").equals("ClusterIP")
                        && !spec.array("externalIPs").isEmpty());
    }

    private static Set<Object> nodePorts(JsonObject spec) {
        return spec.objects("ports").stream()
                .map(port -> port.integer("nodePort"))
                .filter(port -> port != 0)
                .collect(Collectors.toSet());
    }

    private static void drop(JsonObject spec, JsonObject before, String field) {
        if (Objects.equals(spec.get(field), before.get(field))) {
            spec.remove(field);
        }
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

    /** Keeps the node port of a port of the same name that is sent without one. */
    private static void keepNodePorts(JsonObject spec, JsonObject before) {
        if (!opensNodePorts(spec) || !opensNodePorts(before)) {
            return;
        }
        Set<Object> kept = nodePorts(spec);
        for (JsonObject port : spec.objects("ports")) {
            if (port.integer("nodePort") == 0) {
                before.objects("ports").stream()
                        .filter(was -> was.string("name").equals(port.string("name")))
                        .map(was -> was.integer("nodePort"))
                        .filter(nodePort -> nodePort != 0 && !kept.contains(nodePort))
                        .forEach(nodePort -> port.put("nodePort", nodePort));
            }
        }
    }

    private static boolean isBalanced(JsonObject spec) {
        return spec.string("type").equals("LoadBalancer");
    }

    static boolean needsHealthCheck(JsonObject spec) {
        return isBalanced(spec) && spec.string("externalTrafficPolicy").equals("Local");
    }

    static boolean needsNodePorts(JsonObject spec) {
        return switch (spec.string("type")) {
            case "NodePort" -> true;
            case "LoadBalancer" -> !Boolean.FALSE.equals(spec.get("allocateLoadBalancerNodePorts"));
            default -> false;
        };
    }

    @Override
    public void validate(Field root) {
        if (ServiceRules.families(root.at("spec"))) {
            rules(root);
        }
    }

    private static void rules(Field root) {
        Field spec = root.at("spec");
        ServiceRules.topology(root.at("metadata", "annotations"));
        String type = spec.at("type").text();
        Field ports = spec.at("ports");
        boolean headless = spec.at("clusterIP").text().equals("None");
        if (ports.array().isEmpty() && !headless && !isExternal(spec.object())) {
            ports.missing();
        }
        if (headless && (type.equals("LoadBalancer") || type.equals("NodePort"))) {
            spec.at("clusterIPs[0]").invalid("None", "may not be set to 'None' for " + type + " services");
        }
        if (isExternal(spec.object())) {
            for (String unset : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                if (spec.at(unset).given() && !Json.isEmpty(spec.at(unset).value())) {
                    spec.at(unset).forbidden("may not be set for ExternalName services");
                }
            }
            Field name = spec.at("externalName");
            String bare = name.text().replaceFirst("\\.$", "");
            if (bare.isEmpty()) {
                name.missing();
            } else {
                name.obeys(text -> Names.subdomain(bare));
            }
        }
        Set<String> names = new HashSet<>();
        ports.items().forEach(port -> port(port, ports.array().size() > 1, names));
        spec.at("selector").labels();
        spec.at("sessionAffinity").oneOf("ClientIP", "None");
        Field timeout = spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds");
        if (spec.at("sessionAffinity").text().equals("ClientIP") && timeout.given()) {
            timeout.between(1, LONGEST_AFFINITY, "must be greater than 0 and less than " + LONGEST_AFFINITY);
        }
        ServiceRules.externalAddresses(spec.at("externalIPs"));
        spec.at("type").oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
        if (type.equals("ClusterIP")) {
            for (Field port : ports.items()) {
                if (port.at("nodePort").number() != 0) {
                    port.at("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
                }
            }
        }
        Set<JsonObject> nodePorts = new HashSet<>();
        for (Field port : ports.items()) {
            Field nodePort = port.at("nodePort");
            JsonObject key = JsonObject.of("protocol", port.at("protocol").text(), "nodePort", nodePort.number());
            if (nodePort.number() != 0 && !nodePorts.add(key)) {
                nodePort.duplicate(nodePort.number());
            }
        }
        Set<JsonObject> seen = new HashSet<>();
        for (Field port : ports.items()) {
            long number = port.at("port").number();
            JsonObject key = JsonObject.of("protocol", port.at("protocol").text(), "port", number);
            if (!seen.add(key)) {
                port.duplicateText(InternalForm.text("core.v1.ServicePort", key));
            }
        }
        ServiceRules.loadBalancer(spec, root.at("metadata", "annotations"));
        ServiceRules.traffic(spec);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return ServiceRules.warnings(tree);
    }

    @Override
    public List<String> statusWarnings(JsonObject tree) {
        return ServiceRules.statusWarnings(tree);
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field ingresses = root.at("status", "loadBalancer", "ingress");
        if (!isBalanced(root.object().object("spec")) && !ingresses.array().isEmpty()) {
            ingresses.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
            return;
        }
        for (Field ingress : ingresses.items()) {
            boolean addressed = !ingress.at("ip").text().isEmpty();
            ingress.at("ip").requireIfGiven(FormatRules::ip);
            Field mode = ingress.at("ipMode");
            if (!mode.given() && addressed) {
                // the default depends on the type that was sent, which a status need not have
                mode.missing("must be specified when `ip` is set");
            } else if (mode.given() && !addressed) {
                mode.forbidden("may not be specified when `ip` is not set");
            } else if (mode.given()) {
                mode.oneOf("Proxy", "VIP");
            }
            Field host = ingress.at("hostname");
            host.requireIfGiven(Names::subdomain);
            if (FormatRules.isIp(host.text())) {
                host.invalid("must be a DNS name, not an IP address");
            }
        }
    }

    private static void port(Field port, boolean several, Set<String> names) {
        Field name = port.at("name");
        if (name.text().isEmpty()) {
            if (several) {
                name.missing();
            }
        } else {
            name.obeys(Names::label);
            name.distinct(names);
        }
        FormatRules.portNumber(port.at("port"));
        if (port.at("protocol").require()) {
            port.at("protocol").oneOf("SCTP", "TCP", "UDP");
        }
        FormatRules.portOrName(port.at("targetPort"));
        if (port.at("appProtocol").given()) {
            port.at("appProtocol").obeys(Names::qualified);
        }
    }

    /** A service that changes is checked after its change. */
    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        if (ServiceRules.families(root.at("spec"))) {
            change(root, old);
            rules(root);
        }
    }

    private static void change(Field root, JsonObject old) {
        Field addresses = root.at("spec", "clusterIPs");
        JsonObject spec = root.object().object("spec");
        if (!isExternal(spec)
                && !isExternal(old.object("spec"))
                && !old.string("spec", "clusterIP").isEmpty()
                && !Objects.equals(addresses.value(), old.at("spec", "clusterIPs"))) {
            addresses.with("[0]", addresses.value()).invalid("may not change once set");
        }
        String before = old.string("spec", "loadBalancerClass");
        Field balancer = root.at("spec", "loadBalancerClass");
        boolean stays = old.string("spec", "type").equals("LoadBalancer")
                && root.at("spec", "type").text().equals("LoadBalancer");
        if (stays && !before.equals(balancer.text())) {
            balancer.invalid("may not change once set");
        }
        ServiceRules.balancerClass(root.at("spec"));
        if (needsHealthCheck(spec)
                && needsHealthCheck(old.object("spec"))
                && spec.integer(HEALTH_PORT) != old.integer("spec", HEALTH_PORT)) {
            root.at("spec", HEALTH_PORT).forbidden(Field.IMMUTABLE);
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
