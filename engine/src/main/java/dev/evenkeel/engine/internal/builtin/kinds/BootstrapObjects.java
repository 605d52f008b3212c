package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects of a fresh server: to be created in this order where they are missing, namespaces first.
 *
 * <p>Roles and bindings of the system will be added with authorisation. Flow control, addresses of services as objects
 * and the like describe components that this server does not have, and are left out.
 */
public final class BootstrapObjects {
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
}
