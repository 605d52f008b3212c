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
    private static final String RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
    private static final String TOPOLOGY = "service.kubernetes.io/topology-mode";
    private static final String TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";

    private ServiceRules() {}

    /**
     * Validates IP families and cluster IPs, and returns true if they are valid. Upstream does so when it allocates the
     * addresses, and reports no other errors if that fails.
     */
    static boolean families(Field spec) {
        int before = spec.errorCount();
        if (!spec.at("type").text().equals("ExternalName")) {
            if (isWellFormed(spec)) {
                configured(spec);
            }
        }
        return spec.errorCount() == before;
    }

    /** Returns whether families and cluster IPs are valid in a cluster of any families; adds the errors otherwise. */
    static boolean isWellFormed(Field spec) {
        int before = spec.errorCount();
        addresses(spec);
        return spec.errorCount() == before;
    }

    private static void addresses(Field spec) {
        Field addresses = spec.at("clusterIPs");
        List<Field> items = addresses.items();
        Field families = spec.at("ipFamilies");
        String first = items.isEmpty() ? "" : items.getFirst().text();
        String single = spec.at("clusterIP").text();
        if (single.isEmpty() && !items.isEmpty()) {
            addresses.invalid("must be empty when `clusterIP` is not specified");
        } else if (!single.isEmpty() && !single.equals(first)) {
            addresses.invalid("first value must match `clusterIP`");
        }
        Set<String> seen = new HashSet<>();
        for (Field family : families.items()) {
            family.oneOf("IPv4", "IPv6");
            family.distinct(seen);
        }
        if (spec.at("ipFamilyPolicy").given()) {
            spec.at("ipFamilyPolicy").oneOf("PreferDualStack", "RequireDualStack", "SingleStack");
        }
        boolean none = first.equals("None");
        boolean wellFormed = !none || items.size() == 1;
        if (!wellFormed) {
            addresses.invalid("'None' must be the first and only value");
        }
        for (Field address : items.subList(none ? 1 : 0, items.size())) {
            wellFormed &= address.obeys(FormatRules::ip);
        }
        if (items.size() > 2) {
            addresses.invalid("may only hold up to 2 values");
        }
        if (!wellFormed || none) {
            return;
        }
        if (items.size() > 1
                && items.stream().map(ServiceRules::family).distinct().count() < 2) {
            addresses.invalid("may specify no more than one IP for each IP family");
        }
        for (int i = 0; i < Math.min(items.size(), families.array().size()); i++) {
            Object family = families.array().get(i);
            if (List.of("IPv4", "IPv6").contains(family)
                    && !family(items.get(i)).equals(family)) {
                items.get(i).invalid("expected an " + family + " value as indicated by `ipFamilies[" + i + "]`");
            }
        }
    }

    private static String family(Field address) {
        return address.text().contains(":") ? "IPv6" : "IPv4";
    }

    /** Checks what is well-formed against a cluster with IPv4 only. */
    private static void configured(Field spec) {
        Field policy = spec.at("ipFamilyPolicy");
        Field addresses = spec.at("clusterIPs");
        Field families = spec.at("ipFamilies");
        boolean headless = spec.at("clusterIP").text().equals("None");
        int before = spec.errorCount();
        if (policy.text().equals("SingleStack") || !policy.given()) {
            String needed = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
            if (addresses.array().size() == 2) {
                policy.invalid("SingleStack", needed + "cluster IPs are specified");
            }
            if (families.array().size() == 2) {
                policy.invalid("SingleStack", needed + "IP families are specified");
            }
        }
        List<Field> items = headless ? List.of() : addresses.items();
        for (Field address : items.subList(Math.min(families.array().size(), items.size()), items.size())) {
            if (family(address).equals("IPv6")) {
                address.invalid(addresses.value(), "IPv6 is not configured on this cluster");
            }
        }
        if (spec.errorCount() > before
                || (headless && spec.at("selector").object().isEmpty())) {
            return;
        }
        if (policy.text().equals("RequireDualStack")) {
            policy.invalid("this cluster is not configured for dual-stack services");
        }
        for (Field family : families.items()) {
            if (family.text().equals("IPv6")) {
                family.invalid("not configured on this cluster");
            }
        }
    }

    static void externalAddresses(Field addresses) {
        for (Field address : addresses.items()) {
            if (address.obeys(FormatRules::ip)) {
                EndpointAddresses.validate(address);
            }
        }
    }

    /** Checks what only services with a load balancer have. */
    static void loadBalancer(Field spec, Field annotations) {
        boolean balanced = spec.at("type").text().equals("LoadBalancer");
        Field ranges = spec.with(
                "LoadBalancerSourceRanges", spec.at("loadBalancerSourceRanges").value());
        if (!ranges.array().isEmpty()) {
            if (!balanced) {
                ranges.forbidden(ONLY_BALANCED);
            }
            ranges.items()
                    .forEach(range -> FormatRules.prefix(range, range.text().strip()));
        } else if (annotations.entry(RANGES).given()) {
            Field annotation = annotations.entry(RANGES);
            if (!balanced) {
                annotation.forbidden(ONLY_BALANCED);
            }
            for (String range : annotation.text().strip().split(",", -1)) {
                if (!annotation.text().isBlank()) {
                    FormatRules.prefix(annotation, range.strip());
                }
            }
        }
        if (spec.at("allocateLoadBalancerNodePorts").given() && !balanced) {
            spec.at("allocateLoadBalancerNodePorts").forbidden(ONLY_BALANCED);
        }
        balancerClass(spec);
    }

    /** Checks the class of the load balancer; upstream does so twice when a service changes. */
    static void balancerClass(Field spec) {
        Field balancer = spec.at("loadBalancerClass");
        if (balancer.given() && !spec.at("type").text().equals("LoadBalancer")) {
            balancer.forbidden(ONLY_BALANCED);
        } else if (balancer.given()) {
            balancer.obeys(Names::qualified);
        }
    }

    /** Requires that both annotations about the topology say the same. */
    static void topology(Field annotations) {
        Field mode = annotations.entry(TOPOLOGY);
        Field hints = annotations.entry(TOPOLOGY_HINTS);
        if (mode.given() && hints.given() && !mode.text().equals(hints.text())) {
            mode.invalid("must match annotations[" + TOPOLOGY_HINTS + "] when both are specified");
        }
    }

    /** Checks how traffic from outside and inside is distributed. */
    static void traffic(Field spec) {
        String type = spec.at("type").text();
        boolean reachable = ServiceStrategy.isReachable(spec.object());
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
        if (type.equals("LoadBalancer") && local) {
            if (health.number() == 0) {
                health.missing();
            } else {
                health.port();
            }
        } else if (health.number() != 0) {
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

    static List<String> warnings(JsonObject service) {
        List<String> warnings = new ArrayList<>();
        JsonObject spec = service.object("spec");
        boolean external = spec.string("type").equals("ExternalName");
        boolean headless = spec.string("type").equals("ClusterIP")
                && spec.string("clusterIP").equals("None");
        boolean reachable = !spec.array("externalIPs").isEmpty();
        if (service.has("metadata", "annotations", TOPOLOGY_HINTS)) {
            warnings.add("annotation " + TOPOLOGY_HINTS + " is deprecated, please use " + TOPOLOGY + " instead");
        }
        if (!spec.string("clusterIP").isEmpty() && !spec.string("clusterIP").equals("None") && !external) {
            warnings.addAll(AddressWarnings.ips("spec.clusterIPs", spec.strings("clusterIPs")));
        }
        if (headless && !spec.string("loadBalancerIP").isEmpty()) {
            warnings.add("spec.loadBalancerIP is ignored for headless services");
        }
        if (headless && reachable) {
            warnings.add("spec.externalIPs is ignored for headless services");
        }
        if (headless && !spec.string("sessionAffinity").equals("None")) {
            warnings.add("spec.SessionAffinity is ignored for headless services");
        }
        warnings.addAll(AddressWarnings.ips("spec.externalIPs", spec.strings("externalIPs")));
        if (reachable && !headless && !external) {
            warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        warnings.addAll(AddressWarnings.ip("spec.loadBalancerIP", spec.string("loadBalancerIP")));
        warnings.addAll(
                AddressWarnings.ranges("spec.loadBalancerSourceRanges", spec.strings("loadBalancerSourceRanges")));
        if (reachable && external) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
        if (!spec.string("externalName").isEmpty() && !external) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        if (spec.string("trafficDistribution").equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
        }
        return warnings;
    }

    /** Returns the warnings about the load balancer in a changed status, of a service or an ingress. */
    static List<String> statusWarnings(JsonObject tree) {
        List<JsonObject> ingresses = tree.objects("status", "loadBalancer", "ingress");
        return AddressWarnings.ips(
                "status.loadBalancer.ingress",
                ingresses.stream().map(ingress -> ingress.string("ip")).toList());
    }
}
