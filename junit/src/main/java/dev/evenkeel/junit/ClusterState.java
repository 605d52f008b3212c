package dev.evenkeel.junit;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tells with a failure what happened in the cluster of its test. Has no stack trace. */
final class ClusterState extends RuntimeException {
    private static final int MOST_REQUESTS = 50;
    private static final int MOST_OBJECTS = 100;

    /** The groups with objects in each cluster. */
    private static final Set<String> USUAL_GROUPS = Set.of(
            "rbac.authorization.k8s.io", "flowcontrol.apiserver.k8s.io", "apiregistration.k8s.io", "scheduling.k8s.io");

    private static final Set<String> USUAL_NAMESPACES = Set.of("", "kube-system", "kube-public", "kube-node-lease");

    private ClusterState(String message) {
        super(message, null, false, false);
    }

    static ClusterState of(EngineCluster cluster) {
        List<String> requests = cluster.requests();
        List<String> latest = requests.subList(Math.max(0, requests.size() - MOST_REQUESTS), requests.size());
        List<String> objects = objects(cluster.engine());
        return new ClusterState("the cluster of the test" + section("requests", latest, requests.size())
                + section("objects", objects.subList(0, Math.min(objects.size(), MOST_OBJECTS)), objects.size()));
    }

    private static String section(String title, List<String> lines, int all) {
        String shown = lines.size() == all ? "" : " (" + lines.size() + " of " + all + ")";
        return "\n  " + title + shown + ":" + (lines.isEmpty() ? " none" : "\n    " + String.join("\n    ", lines));
    }

    private static List<String> objects(Engine engine) {
        ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        List<String> lines = new ArrayList<>();
        for (ResourceType type : partition.types().all()) {
            if (USUAL_GROUPS.contains(type.group()) || !type.rules().verbs().contains("list")) {
                continue;
            }
            partition.list(Target.of(type, type.storageVersion(), "", ""), ListQuery.ALL, User.ADMIN).items().stream()
                    .map(item -> item.tree())
                    .filter(tree ->
                            !isUsual(type, tree.string("metadata", "namespace"), tree.string("metadata", "name")))
                    .map(tree -> line(
                            type,
                            tree.string("metadata", "namespace"),
                            tree.string("metadata", "name"),
                            tree.string("metadata", "deletionTimestamp")))
                    .forEach(lines::add);
        }
        return lines;
    }

    private static boolean isUsual(ResourceType type, String namespace, String name) {
        return switch (type.id()) {
            case "namespaces" -> USUAL_NAMESPACES.contains(name) || name.equals("default");
            case "serviceaccounts" -> name.equals("default");
            case "configmaps" -> name.equals("kube-root-ca.crt");
            case "services" -> namespace.equals("default") && name.equals("kubernetes");
            case "customresourcedefinitions.apiextensions.k8s.io" -> true;
            default -> false;
        };
    }

    private static String line(ResourceType type, String namespace, String name, String deletion) {
        return type.id() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name
                + (deletion.isEmpty() ? "" : ", being deleted");
    }
}
