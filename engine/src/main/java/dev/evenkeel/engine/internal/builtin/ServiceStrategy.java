package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Services get addresses and node ports; nothing routes to them here. */
final class ServiceStrategy implements Strategy {
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

    /** Who changes the one address and sends the list of them as it was means the one. */
    private static void followAddress(Map<String, @Nullable Object> spec, Map<String, @Nullable Object> before) {
        String address = Json.string(spec, "clusterIP");
        if (!address.isEmpty()
                && !address.equals(Json.string(before, "clusterIP"))
                && Objects.equals(spec.get("clusterIPs"), before.get("clusterIPs"))) {
            spec.put("clusterIPs", Trees.items(address));
        }
    }

    /** A port that is sent without its node port keeps the one it had. */
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
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return ServiceValidation.service(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return ServiceValidation.update(tree, old);
    }
}
