package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of kinds that have nothing else particular, one method a kind. */
final class Defaults {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private Defaults() {}

    static void podTemplate(Map<String, @Nullable Object> tree) {
        Trees.with(tree, PodDefaults::template, "template");
    }

    static void endpoints(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                subset -> Trees.each(subset, port -> Trees.fillText(port, "protocol", "TCP"), "ports"),
                "subsets");
    }

    static void limitRange(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                item -> {
                    if (!Json.string(item, "type").equals("Container")) {
                        return;
                    }
                    Map<String, @Nullable Object> limits = Trees.object(item, "default");
                    Trees.object(item, "max").forEach(limits::putIfAbsent);
                    Map<String, @Nullable Object> requests = Trees.object(item, "defaultRequest");
                    limits.forEach(requests::putIfAbsent);
                    Trees.object(item, "min").forEach(requests::putIfAbsent);
                    if (!limits.isEmpty()) {
                        item.put("default", limits);
                    }
                    if (!requests.isEmpty()) {
                        item.put("defaultRequest", requests);
                    }
                },
                "spec",
                "limits");
    }

    static void binding(Map<String, @Nullable Object> tree) {
        Trees.with(tree, ref -> Trees.fillText(ref, "apiGroup", RBAC), "roleRef");
        Trees.each(
                tree,
                subject -> {
                    String kind = Json.string(subject, "kind");
                    if (kind.equals("User") || kind.equals("Group")) {
                        Trees.fillText(subject, "apiGroup", RBAC);
                    }
                },
                "subjects");
    }

    static void ingressClass(Map<String, @Nullable Object> tree) {
        Trees.with(tree, parameters -> Trees.fillText(parameters, "scope", "Cluster"), "spec", "parameters");
    }

    static void networkPolicy(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        if (Trees.list(spec, "policyTypes").isEmpty()) {
            spec.put(
                    "policyTypes",
                    Trees.list(spec, "egress").isEmpty() ? Trees.items("Ingress") : Trees.items("Ingress", "Egress"));
        }
        for (String direction : List.of("ingress", "egress")) {
            Trees.each(
                    spec,
                    rule -> Trees.each(rule, port -> Trees.fillText(port, "protocol", "TCP"), "ports"),
                    direction);
        }
    }

    static void endpointSlice(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                port -> {
                    Trees.fill(port, "name", "");
                    Trees.fillText(port, "protocol", "TCP");
                },
                "ports");
    }

    static void storageClass(Map<String, @Nullable Object> tree) {
        Trees.fillText(tree, "reclaimPolicy", "Delete");
        Trees.fillText(tree, "volumeBindingMode", "Immediate");
    }

    static void csiDriver(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fill(spec, "attachRequired", true);
        Trees.fill(spec, "podInfoOnMount", false);
        Trees.fill(spec, "storageCapacity", false);
        Trees.fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        if (Trees.list(spec, "volumeLifecycleModes").isEmpty()) {
            spec.put("volumeLifecycleModes", Trees.items("Persistent"));
        }
        Trees.fill(spec, "requiresRepublish", false);
        Trees.fill(spec, "seLinuxMount", false);
    }

    static void mutatingWebhooks(Map<String, @Nullable Object> tree) {
        validatingWebhooks(tree);
        Trees.each(tree, webhook -> Trees.fillText(webhook, "reinvocationPolicy", "Never"), "webhooks");
    }

    static void validatingWebhooks(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                webhook -> {
                    Trees.with(webhook, Defaults::servicePort, "clientConfig", "service");
                    Trees.each(webhook, rule -> Trees.fillText(rule, "scope", "*"), "rules");
                    Trees.fillText(webhook, "failurePolicy", "Fail");
                    Trees.fillText(webhook, "matchPolicy", "Equivalent");
                    selectors(webhook);
                    Trees.fill(webhook, "timeoutSeconds", 10L);
                },
                "webhooks");
    }

    private static void selectors(Map<String, @Nullable Object> tree) {
        Trees.fill(tree, "namespaceSelector", new LinkedHashMap<String, Object>());
        Trees.fill(tree, "objectSelector", new LinkedHashMap<String, Object>());
    }

    private static void servicePort(Map<String, @Nullable Object> service) {
        Trees.fill(service, "port", 443L);
    }

    static void admissionPolicy(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillText(spec, "failurePolicy", "Fail");
        Trees.with(spec, Defaults::matchResources, "matchConstraints");
    }

    static void admissionPolicyBinding(Map<String, @Nullable Object> tree) {
        Trees.with(tree, Defaults::matchResources, "spec", "matchResources");
    }

    private static void matchResources(Map<String, @Nullable Object> match) {
        Trees.fillText(match, "matchPolicy", "Equivalent");
        selectors(match);
        for (String rules : List.of("resourceRules", "excludeResourceRules")) {
            Trees.each(match, rule -> Trees.fillText(rule, "scope", "*"), rules);
        }
    }

    static void apiService(Map<String, @Nullable Object> tree) {
        Trees.with(tree, Defaults::servicePort, "spec", "service");
    }

    static void priorityClass(Map<String, @Nullable Object> tree) {
        Trees.fillText(tree, "preemptionPolicy", "PreemptLowerPriority");
    }

    static void priorityLevel(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                limited -> {
                    Trees.fill(limited, "nominalConcurrencyShares", 30L);
                    Trees.fill(limited, "lendablePercent", 0L);
                    Trees.with(
                            limited,
                            queuing -> {
                                Trees.fillNumber(queuing, "queues", 64L);
                                Trees.fillNumber(queuing, "handSize", 8L);
                                Trees.fillNumber(queuing, "queueLengthLimit", 50L);
                            },
                            "limitResponse",
                            "queuing");
                },
                "spec",
                "limited");
        Trees.with(
                tree,
                exempt -> {
                    Trees.fill(exempt, "nominalConcurrencyShares", 0L);
                    Trees.fill(exempt, "lendablePercent", 0L);
                },
                "spec",
                "exempt");
    }

    static void flowSchema(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillNumber(spec, "matchingPrecedence", 1000L);
    }

    static void resourceClaim(Map<String, @Nullable Object> tree) {
        Trees.with(tree, Defaults::claimSpec, "spec");
    }

    static void resourceClaimTemplate(Map<String, @Nullable Object> tree) {
        Trees.with(tree, Defaults::claimSpec, "spec", "spec");
    }

    private static void claimSpec(Map<String, @Nullable Object> spec) {
        Trees.each(
                spec,
                request -> {
                    Trees.with(request, Defaults::deviceRequest, "exactly");
                    Trees.each(request, Defaults::deviceRequest, "firstAvailable");
                },
                "devices",
                "requests");
    }

    private static void deviceRequest(Map<String, @Nullable Object> request) {
        Trees.fillText(request, "allocationMode", "ExactCount");
        if (Json.string(request, "allocationMode").equals("ExactCount") && Json.integer(request, "count") == 0) {
            request.put("count", 1L);
        }
        Trees.each(request, toleration -> Trees.fillText(toleration, "operator", "Equal"), "tolerations");
    }

    static void autoscaler(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fill(spec, "minReplicas", 1L);
        if (Trees.list(spec, "metrics").isEmpty()) {
            Map<String, @Nullable Object> target = Trees.of("type", "Utilization", "averageUtilization", 80L);
            spec.put(
                    "metrics",
                    Trees.items(Trees.of("type", "Resource", "resource", Trees.of("name", "cpu", "target", target))));
        }
        Trees.with(
                spec,
                behavior -> {
                    Map<String, @Nullable Object> up = Trees.grow(behavior, "scaleUp");
                    Trees.fill(up, "stabilizationWindowSeconds", 0L);
                    Trees.fillText(up, "selectPolicy", "Max");
                    if (Trees.list(up, "policies").isEmpty()) {
                        up.put("policies", Trees.items(policy("Pods", 4), policy("Percent", 100)));
                    }
                    Map<String, @Nullable Object> down = Trees.grow(behavior, "scaleDown");
                    Trees.fillText(down, "selectPolicy", "Max");
                    if (Trees.list(down, "policies").isEmpty()) {
                        down.put("policies", Trees.items(policy("Percent", 100)));
                    }
                },
                "behavior");
    }

    private static Map<String, @Nullable Object> policy(String type, long value) {
        return Trees.of("type", type, "value", value, "periodSeconds", 15L);
    }

    /** autoscaling/v1, whose only metric is cpu. */
    static void autoscalerV1(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fill(spec, "minReplicas", 1L);
        if (!Trees.has(tree, "metadata", "annotations", AutoscalerConversion.METRICS)) {
            Trees.fill(spec, "targetCPUUtilizationPercentage", 80L);
        }
    }

    static void node(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                spec -> {
                    String first = Json.string(spec, "podCIDR");
                    List<@Nullable Object> all = Trees.list(spec, "podCIDRs");
                    if (!first.isEmpty() && all.isEmpty()) {
                        spec.put("podCIDRs", Trees.items(first));
                    } else if (first.isEmpty() && !all.isEmpty() && all.getFirst() instanceof String cidr) {
                        spec.put("podCIDR", cidr);
                    }
                },
                "spec");
    }
}
