package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects of a fresh server: to be created in this order where they are missing, namespaces first; {@link BootstrapRoles}
 * follow. The address of the service as an object comes with it.
 */
public final class BootstrapObjects {
    /** The name of the {@link #serviceRange}. */
    public static final String SERVICE_RANGE = "kubernetes";

    /** The key of the day in {@link #tokenTracking}. */
    public static final String TRACKED_SINCE = "since";

    private BootstrapObjects() {}

    /** Returns fresh trees, as a user would send them. */
    public static List<JsonObject> all() {
        List<JsonObject> all = new ArrayList<>();
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            all.add(object("v1", "Namespace", JsonObject.of("name", name)));
        }
        all.add(kubernetesService());
        all.add(priorityClass("system-cluster-critical", 2_000_000_000L));
        all.add(priorityClass("system-node-critical", 2_000_001_000L));
        return all;
    }

    private static JsonObject object(String apiVersion, String kind, JsonObject metadata) {
        return JsonObject.of("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
    }

    private static JsonObject kubernetesService() {
        JsonObject labels = JsonObject.of("component", "apiserver", "provider", "kubernetes");
        JsonObject metadata = JsonObject.of("name", "kubernetes", "namespace", "default", "labels", labels);
        JsonObject port = JsonObject.of("name", "https", "protocol", "TCP", "port", 443L, "targetPort", 6443L);
        return object("v1", "Service", metadata)
                .set("spec", JsonObject.of("clusterIP", "10.0.0.1", "ports", Trees.items(port)));
    }

    private static JsonObject priorityClass(String name, long value) {
        return object("scheduling.k8s.io/v1", "PriorityClass", JsonObject.of("name", name))
                .set("value", value);
    }

    /** Returns the record of the day since which uses of tokens in secrets are known. */
    public static JsonObject tokenTracking(LocalDate day) {
        JsonObject metadata = JsonObject.of(
                "name", "kube-apiserver-legacy-service-account-token-tracking", "namespace", "kube-system");
        return object("v1", "ConfigMap", metadata).set("data", JsonObject.of(TRACKED_SINCE, day.toString()));
    }

    /** Returns the range that addresses of services are from. */
    public static JsonObject serviceRange() {
        return object("networking.k8s.io/v1", "ServiceCIDR", JsonObject.of("name", SERVICE_RANGE))
                .set("spec", JsonObject.of("cidrs", Trees.items(ServiceAddresses.RANGE)));
    }

    /** Returns the priority levels that flow schemas refer to. */
    public static List<JsonObject> priorityLevels() {
        return List.of(
                level(
                        "exempt",
                        JsonObject.of("type", "Exempt", "exempt", JsonObject.of("nominalConcurrencyShares", 0L))),
                level("catch-all", limited(5, 0, JsonObject.of("type", "Reject"))),
                level("system", limited(30, 33, queue(64, 6))),
                level("node-high", limited(40, 25, queue(64, 6))),
                level("leader-election", limited(10, 0, queue(16, 4))),
                level("workload-high", limited(40, 50, queue(128, 6))),
                level("workload-low", limited(100, 90, queue(128, 6))),
                level("global-default", limited(20, 50, queue(128, 6))));
    }

    private static JsonObject level(String name, JsonObject spec) {
        JsonObject annotations = JsonObject.of("apf.kubernetes.io/autoupdate-spec", "true");
        JsonObject metadata = JsonObject.of("name", name, "annotations", annotations);
        return object("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", metadata)
                .set("spec", spec);
    }

    private static JsonObject limited(long shares, long lendable, JsonObject response) {
        JsonObject limited = JsonObject.of(
                "nominalConcurrencyShares", shares, "lendablePercent", lendable, "limitResponse", response);
        return JsonObject.of("type", "Limited", "limited", limited);
    }

    private static JsonObject queue(long queues, long hand) {
        JsonObject queuing = JsonObject.of("queues", queues, "handSize", hand, "queueLengthLimit", 50L);
        return JsonObject.of("type", "Queue", "queuing", queuing);
    }

    /** Returns the flow schemas by which requests are assigned to priority levels. */
    public static List<JsonObject> flowSchemas() {
        List<JsonObject> everyone = List.of(group("system:unauthenticated"), group("system:authenticated"));
        List<JsonObject> nodes = List.of(group("system:nodes"));
        JsonObject system = JsonObject.of("kind", "ServiceAccount")
                .set("serviceAccount", JsonObject.of("name", "*", "namespace", "kube-system"));
        JsonObject manager = user("system:kube-controller-manager");
        JsonObject scheduler = user("system:kube-scheduler");
        JsonObject leases = flowRule(List.of("*"), "coordination.k8s.io", List.of("leases"), false);
        JsonObject elections =
                flowRule(List.of("get", "create", "update"), "coordination.k8s.io", List.of("leases"), false);
        JsonObject nodeObjects = flowRule(List.of("*"), "", List.of("nodes", "nodes/status"), true);
        JsonObject probes =
                JsonObject.of("verbs", List.of("get")).set("nonResourceURLs", List.of("/healthz", "/readyz", "/livez"));
        return List.of(
                schema("exempt", "exempt", 1, "", everything(List.of(group("system:masters")))),
                schema("catch-all", "catch-all", 10_000, "ByUser", everything(everyone)),
                schema("system-nodes", "system", 500, "ByUser", everything(nodes)),
                schema(
                        "system-node-high",
                        "node-high",
                        400,
                        "ByUser",
                        JsonObject.of("subjects", nodes).set("resourceRules", List.of(nodeObjects, leases))),
                schema(
                        "probes",
                        "exempt",
                        2,
                        "",
                        JsonObject.of("subjects", everyone).set("nonResourceRules", List.of(probes))),
                schema(
                        "system-leader-election",
                        "leader-election",
                        100,
                        "ByUser",
                        JsonObject.of("subjects", List.of(manager, scheduler, system))
                                .set("resourceRules", List.of(elections))),
                schema("kube-controller-manager", "workload-high", 800, "ByNamespace", everything(List.of(manager))),
                schema("kube-scheduler", "workload-high", 800, "ByNamespace", everything(List.of(scheduler))),
                schema(
                        "kube-system-service-accounts",
                        "workload-high",
                        900,
                        "ByNamespace",
                        everything(List.of(system))),
                schema(
                        "service-accounts",
                        "workload-low",
                        9000,
                        "ByUser",
                        everything(List.of(group("system:serviceaccounts")))),
                schema("global-default", "global-default", 9900, "ByUser", everything(everyone)));
    }

    private static JsonObject schema(
            String name, String level, long precedence, String distinguisher, JsonObject rule) {
        JsonObject annotations = JsonObject.of("apf.kubernetes.io/autoupdate-spec", "true");
        JsonObject spec = JsonObject.of("priorityLevelConfiguration", JsonObject.of("name", level))
                .set("matchingPrecedence", precedence)
                .setUnlessEmpty(
                        "distinguisherMethod", distinguisher.isEmpty() ? null : JsonObject.of("type", distinguisher))
                .set("rules", List.of(rule));
        return object(
                        "flowcontrol.apiserver.k8s.io/v1",
                        "FlowSchema",
                        JsonObject.of("name", name, "annotations", annotations))
                .set("spec", spec)
                .copy(); // subjects and rules are shared
    }

    private static JsonObject user(String name) {
        return JsonObject.of("kind", "User", "user", JsonObject.of("name", name));
    }

    private static JsonObject group(String name) {
        return JsonObject.of("kind", "Group", "group", JsonObject.of("name", name));
    }

    private static JsonObject everything(List<JsonObject> subjects) {
        JsonObject paths = JsonObject.of("verbs", List.of("*"), "nonResourceURLs", List.of("*"));
        return JsonObject.of("subjects", subjects)
                .set("resourceRules", List.of(flowRule(List.of("*"), "*", List.of("*"), true)))
                .set("nonResourceRules", List.of(paths));
    }

    private static JsonObject flowRule(List<String> verbs, String group, List<String> resources, boolean cluster) {
        return JsonObject.of("verbs", verbs, "apiGroups", List.of(group), "resources", resources)
                .setUnlessEmpty("clusterScope", cluster ? true : null)
                .set("namespaces", List.of("*"));
    }
}
