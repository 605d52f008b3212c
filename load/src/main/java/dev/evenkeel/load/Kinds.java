package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of built-in objects that plans mention by their kind alone. */
public final class Kinds {
    public static final Kind<Encoded> NODE = kind("", "v1", "Node", "nodes", false);
    public static final Kind<Encoded> NAMESPACE = kind("", "v1", "Namespace", "namespaces", false);
    public static final Kind<Encoded> POD = kind("", "v1", "Pod", "pods", true);
    public static final Kind<Encoded> CONFIG_MAP = kind("", "v1", "ConfigMap", "configmaps", true);
    public static final Kind<Encoded> SECRET = kind("", "v1", "Secret", "secrets", true);
    public static final Kind<Encoded> SERVICE = kind("", "v1", "Service", "services", true);
    public static final Kind<Encoded> SERVICE_ACCOUNT = kind("", "v1", "ServiceAccount", "serviceaccounts", true);
    public static final Kind<Encoded> DEPLOYMENT = kind("apps", "v1", "Deployment", "deployments", true);
    public static final Kind<Encoded> REPLICA_SET = kind("apps", "v1", "ReplicaSet", "replicasets", true);
    public static final Kind<Encoded> NETWORK_POLICY =
            kind("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true);
    public static final Kind<Encoded> DEFINITION =
            kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false);

    private static final Map<String, Kind<Encoded>> KNOWN = Stream.of(
                    NODE,
                    NAMESPACE,
                    POD,
                    CONFIG_MAP,
                    SECRET,
                    SERVICE,
                    SERVICE_ACCOUNT,
                    DEPLOYMENT,
                    REPLICA_SET,
                    NETWORK_POLICY,
                    DEFINITION)
            .collect(Collectors.toMap(kind -> kind.apiVersion() + " " + kind.kind(), Function.identity()));

    private Kinds() {}

    private static Kind<Encoded> kind(String group, String version, String kind, String plural, boolean namespaced) {
        return Kind.generic(group, version, kind, plural, namespaced).encoded();
    }

    /** Returns the built-in kind of an object; empty if it is none of these. */
    public static Optional<Kind<Encoded>> find(String apiVersion, String kind) {
        return Optional.ofNullable(KNOWN.get(apiVersion + " " + kind));
    }
}
