package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a fresh server: to be created in this order where they are missing, namespaces first.
 *
 * <p>Roles and bindings of the system will be added with authorisation. Flow control, addresses of services as objects
 * and the like describe components that this server does not have, and are left out.
 */
public final class BootstrapObjects {
    private BootstrapObjects() {}

    /** Returns fresh trees, as a user would send them. */
    public static List<Map<String, @Nullable Object>> all() {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            all.add(object("v1", "Namespace", Trees.of("name", name)));
        }
        all.add(kubernetesService());
        all.add(priorityClass("system-cluster-critical", 2_000_000_000L));
        all.add(priorityClass("system-node-critical", 2_000_001_000L));
        return all;
    }

    private static Map<String, @Nullable Object> object(
            String apiVersion, String kind, Map<String, @Nullable Object> metadata) {
        return Trees.of("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
    }

    private static Map<String, @Nullable Object> kubernetesService() {
        Map<String, @Nullable Object> service = object(
                "v1",
                "Service",
                Trees.of(
                        "name",
                        "kubernetes",
                        "namespace",
                        "default",
                        "labels",
                        Trees.of("component", "apiserver", "provider", "kubernetes")));
        Map<String, @Nullable Object> port =
                Trees.of("name", "https", "protocol", "TCP", "port", 443L, "targetPort", 6443L);
        service.put("spec", Trees.of("clusterIP", "10.0.0.1", "ports", Trees.items(port)));
        return service;
    }

    private static Map<String, @Nullable Object> priorityClass(String name, long value) {
        Map<String, @Nullable Object> priorityClass =
                object("scheduling.k8s.io/v1", "PriorityClass", Trees.of("name", name));
        priorityClass.put("value", value);
        return priorityClass;
    }
}
