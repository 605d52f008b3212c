package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/**
 * API services of the versions that a server serves itself, as kube-apiserver creates them. The label of those of its own
 * kinds tells that they are created when it starts; that of custom resources, that they are kept as they are.
 */
public final class LocalApiServices {
    public static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";
    /** The value of the label for custom resources. */
    public static final String ALWAYS = "true";

    private static final long CUSTOM_GROUP = 1000;
    private static final long CUSTOM_VERSION = 100;

    private LocalApiServices() {}

    /** Returns those of the kinds of Kubernetes, as fresh trees. */
    public static List<JsonObject> builtIn() {
        return List.of(
                builtIn("v1", "", 18_000, 1),
                builtIn("v1", "admissionregistration.k8s.io", 16_700, 15),
                builtIn("v1", "apiextensions.k8s.io", 16_700, 15),
                builtIn("v1", "apps", 17_800, 15),
                builtIn("v1", "authentication.k8s.io", 17_700, 15),
                builtIn("v1", "authorization.k8s.io", 17_600, 15),
                builtIn("v1", "autoscaling", 17_500, 15),
                builtIn("v2", "autoscaling", 17_500, 30),
                builtIn("v1", "batch", 17_400, 15),
                builtIn("v1", "certificates.k8s.io", 17_300, 15),
                builtIn("v1", "coordination.k8s.io", 16_500, 15),
                builtIn("v1", "discovery.k8s.io", 16_200, 15),
                builtIn("v1", "events.k8s.io", 17_750, 15),
                builtIn("v1", "flowcontrol.apiserver.k8s.io", 16_100, 21),
                builtIn("v1", "networking.k8s.io", 17_200, 15),
                builtIn("v1", "node.k8s.io", 16_300, 15),
                builtIn("v1", "policy", 17_100, 15),
                builtIn("v1", "rbac.authorization.k8s.io", 17_000, 15),
                builtIn("v1", "resource.k8s.io", 16_200, 21),
                builtIn("v1", "scheduling.k8s.io", 16_600, 15),
                builtIn("v1", "storage.k8s.io", 16_800, 15));
    }

    private static JsonObject builtIn(String version, String group, long groupPriority, long versionPriority) {
        return tree(version, group, "onstart", groupPriority, versionPriority);
    }

    /** Returns that of a version of custom resources, as a fresh tree. */
    public static JsonObject custom(String group, String version) {
        return tree(version, group, ALWAYS, CUSTOM_GROUP, CUSTOM_VERSION);
    }

    private static JsonObject tree(
            String version, String group, String managed, long groupPriority, long versionPriority) {
        JsonObject spec = JsonObject.of("version", version)
                .setUnlessEmpty("group", group)
                .set("groupPriorityMinimum", groupPriority)
                .set("versionPriority", versionPriority);
        return JsonObject.of("apiVersion", "apiregistration.k8s.io/v1", "kind", "APIService")
                .set("metadata", JsonObject.of("name", version + "." + group, "labels", JsonObject.of(LABEL, managed)))
                .set("spec", spec);
    }
}
