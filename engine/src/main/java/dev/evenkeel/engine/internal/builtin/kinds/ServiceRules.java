package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of the addresses, the load balancer and the traffic of services, in a cluster with IPv4 only. */
final class ServiceRules {
    private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";

    private ServiceRules() {}

    /** Checks the families and the addresses of the cluster. */
    static void families(Field spec) {
        String type = spec.at("type").text();
        if (type.equals("ExternalName")) {
            return;
        }
        Field policy = spec.at("ipFamilyPolicy");
        Field families = spec.at("ipFamilies");
        Field addresses = spec.at("clusterIPs");
        boolean free = spec.at("clusterIP").text().equals("None")
                && spec.at("selector").object().isEmpty();
        Set<String> seen = new HashSet<>();
        for (Field family : families.items()) {
            family.oneOf("IPv4", "IPv6");
            if (family.text().equals("IPv6") && !free && addresses.array().isEmpty()) {
                family.invalid("not configured on this cluster");
            }
            if (family.text().equals("IPv6")
                    && !free
                    && !addresses.array().isEmpty()
                    && !hasFamily(addresses, 0, true)) {
                addresses
                        .items()
                        .getFirst()
                        .invalid("expected an IPv6 value as indicated by `ipFamilies[" + seen.size() + "]`");
            }
            family.distinct(seen);
        }
        String first = addresses.array().isEmpty()
                ? ""
                : String.valueOf(addresses.array().getFirst());
        String single = spec.at("clusterIP").text();
        if (single.isEmpty() && !first.isEmpty()) {
            addresses.invalid("must be empty when `clusterIP` is not specified");
        } else if (!single.isEmpty() && !single.equals(first)) {
            addresses.invalid("first value must match `clusterIP`");
        }
        for (Field address : addresses.items()) {
            if (!address.text().equals("None")
                    && address.obeys(FormatRules::ip)
                    && address.text().contains(":")
                    && !free) {
                address.invalid(addresses.value(), "IPv6 is not configured on this cluster");
            }
        }
        if (policy.text().equals("RequireDualStack") && !free) {
            policy.invalid("this cluster is not configured for dual-stack services");
        }
        if (policy.given()) {
            policy.oneOf("PreferDualStack", "RequireDualStack", "SingleStack");
        }
    }

    private static boolean hasFamily(Field addresses, int index, boolean v6) {
        return String.valueOf(addresses.array().get(index)).contains(":") == v6;
    }

    static void externalAddresses(Field addresses) {
        for (Field address : addresses.items()) {
            if (!address.obeys(FormatRules::ip)) {
                continue;
            }
            if (address.text().equals("0.0.0.0") || address.text().equals("::")) {
                address.invalid("may not be unspecified (" + address.text() + ")");
            } else if (address.text().startsWith("127.") || address.text().equals("::1")) {
                address.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
            } else {
                EndpointAddresses.validate(address);
            }
        }
    }

    /** Checks what only services with a load balancer have. */
    static void loadBalancer(Field spec) {
        boolean balanced = spec.at("type").text().equals("LoadBalancer");
        Field ranges = spec.with(
                "LoadBalancerSourceRanges", spec.at("loadBalancerSourceRanges").value());
        if (!ranges.array().isEmpty()) {
            if (!balanced) {
                ranges.forbidden(ONLY_BALANCED);
            }
            ranges.items().forEach(FormatRules::prefix);
        }
        if (spec.at("allocateLoadBalancerNodePorts").given() && !balanced) {
            spec.at("allocateLoadBalancerNodePorts").forbidden(ONLY_BALANCED);
        }
        Field balancer = spec.at("loadBalancerClass");
        if (balancer.given()) {
            if (!balanced) {
                balancer.forbidden(ONLY_BALANCED);
            }
            balancer.obeys(Names::qualified);
        }
    }

    /** Checks how traffic from outside and inside is distributed. */
    static void traffic(Field spec) {
        String type = spec.at("type").text();
        boolean reachable = type.equals("LoadBalancer")
                || type.equals("NodePort")
                || !spec.at("externalIPs").array().isEmpty();
        Field outside = spec.at("externalTrafficPolicy");
        boolean local = outside.text().equals("Local");
        if (outside.given()) {
            if (!reachable) {
                outside.invalid("may only be set for externally-accessible services");
            } else {
                outside.oneOf("Cluster", "Local");
            }
        }
        Field health = spec.at("healthCheckNodePort");
        if (health.number() != 0 && !(type.equals("LoadBalancer") && local)) {
            health.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
        Field inside = spec.at("internalTrafficPolicy");
        if (inside.given()) {
            inside.oneOf("Cluster", "Local");
        }
        Field distribution = spec.at("trafficDistribution");
        if (distribution.given()) {
            distribution.oneOf("PreferClose", "PreferSameZone", "PreferSameNode");
        }
    }

    static List<String> warnings(JsonObject spec) {
        List<String> warnings = new ArrayList<>();
        if (!spec.array("externalIPs").isEmpty()) {
            warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        if (!spec.string("externalName").isEmpty() && !spec.string("type").equals("ExternalName")) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        if (spec.string("trafficDistribution").equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
        }
        return warnings;
    }
}
