package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Empties namespaces that are marked for deletion, and removes them once they are empty.
 *
 * <p>Reacts to two events: a namespace is marked; an object in a marked namespace changed. Each time it deletes the
 * remaining objects (pods first, as upstream does), reports in the conditions which ones remain and why, and when none
 * remain removes {@code kubernetes} from {@code spec.finalizers}.
 */
public final class NamespaceService implements WriteContext.Services {
    private static final String MANAGER = "kube-controller-manager";
    private static final String FINALIZER = "kubernetes";

    private final SerialQueue queue;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Verbs verbs;

    public NamespaceService(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (key.namespace().isEmpty()) {
            if (!key.collection().endsWith("/" + Namespaces.ID)) {
                return;
            }
            if (current == null) {
                terminating.remove(key.name());
            } else if (current.value().deleting() && terminating.add(key.name())) {
                look(key.name());
            }
        } else if (terminating.contains(key.namespace())) {
            look(key.namespace());
        }
    }

    /** Continues the deletion of the store's namespaces. */
    public void resume(Store.Snapshot snapshot) {
        snapshot.range(verbs.cluster().partition() + "/" + Namespaces.ID, "", null, entry -> {
            changed(entry.key(), null, entry);
            return true;
        });
    }

    private void look(String namespace) {
        if (pending.add(namespace)) {
            queue.add(() -> {
                pending.remove(namespace);
                empty(namespace);
            });
        }
    }

    private void empty(String namespace) {
        Target target = verbs.cluster()
                .types()
                .get()
                .kind("v1", "Namespace")
                .orElseThrow()
                .withName("", namespace);
        Store.Entry entry = verbs.cluster().read(target);
        if (entry == null) {
            return;
        }
        JsonObject tree = verbs.cluster().tree(entry, target);
        if (!tree.strings("spec", "finalizers").contains(FINALIZER)) {
            return;
        }
        for (Target content : content(namespace)) {
            try {
                verbs.deleting().delete(content, DeleteOptions.of(Propagation.BACKGROUND));
            } catch (NotFoundException e) {
                // Gone already.
            }
        }
        report(target, content(namespace));
    }

    /** Returns the objects in a namespace, pods first. */
    private List<Target> content(String namespace) {
        List<Target> content = new ArrayList<>();
        List<ResourceType> types = new ArrayList<>(verbs.cluster().types().get().all());
        types.sort(java.util.Comparator.comparing(type -> !type.id().equals("pods")));
        Store.Snapshot snapshot = verbs.cluster().store().snapshot();
        Set<String> seen = new java.util.HashSet<>();
        for (ResourceType type : types) {
            String collection = verbs.cluster().collection(type);
            if (type.namespaced() && seen.add(collection)) {
                snapshot.range(collection, namespace, null, entry -> {
                    content.add(Target.of(
                            type, type.storageVersion(), namespace, entry.key().name()));
                    return true;
                });
            }
        }
        return content;
    }

    private void report(Target target, List<Target> remaining) {
        Map<String, Integer> resources = new TreeMap<>();
        Map<String, Integer> finalizers = new TreeMap<>();
        for (Target content : remaining) {
            String name = content.type().plural() + "." + content.type().group();
            resources.merge(name, 1, Integer::sum);
            Optional.ofNullable(verbs.cluster().read(content))
                    .map(entry -> verbs.cluster().tree(entry, content))
                    .ifPresent(tree -> tree.withObject("metadata")
                            .strings("finalizers")
                            .forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum)));
        }
        try {
            Target status = new Target(target.type(), target.version(), "", target.name(), "status");
            verbs.updating().edit(status, MANAGER, live -> conditions(live, resources, finalizers));
            if (remaining.isEmpty()) {
                Target finalize = new Target(target.type(), target.version(), "", target.name(), "finalize");
                verbs.updating().edit(finalize, MANAGER, live -> {
                    List<String> left = live.strings("spec", "finalizers");
                    left.remove(FINALIZER);
                    JsonObject spec = new JsonObject();
                    if (!left.isEmpty()) {
                        spec.put("finalizers", new ArrayList<Object>(left));
                    }
                    live.put("spec", spec);
                });
            }
        } catch (NotFoundException e) {
            // Gone already.
        }
    }

    private void conditions(JsonObject namespace, Map<String, Integer> resources, Map<String, Integer> finalizers) {
        set(
                namespace,
                "NamespaceDeletionDiscoveryFailure",
                false,
                "ResourcesDiscovered",
                "All resources successfully discovered");
        set(
                namespace,
                "NamespaceDeletionGroupVersionParsingFailure",
                false,
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        set(
                namespace,
                "NamespaceDeletionContentFailure",
                false,
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        if (resources.isEmpty()) {
            set(namespace, "NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed");
        } else {
            set(
                    namespace,
                    "NamespaceContentRemaining",
                    true,
                    "SomeResourcesRemain",
                    "Some resources are remaining: "
                            + resources.entrySet().stream()
                                    .map(e -> e.getKey() + " has " + e.getValue() + " resource instances")
                                    .collect(Collectors.joining(", ")));
        }
        if (finalizers.isEmpty()) {
            set(
                    namespace,
                    "NamespaceFinalizersRemaining",
                    false,
                    "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
        } else {
            set(
                    namespace,
                    "NamespaceFinalizersRemaining",
                    true,
                    "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: "
                            + finalizers.entrySet().stream()
                                    .map(e -> e.getKey() + " in " + e.getValue() + " resource instances")
                                    .collect(Collectors.joining(", ")));
        }
    }

    private void set(JsonObject namespace, String type, boolean holds, String reason, String message) {
        Object status = namespace.get("status");
        JsonObject map = status instanceof JsonObject ? Json.asObject(status) : new JsonObject();
        namespace.put("status", map);
        List<@Nullable Object> conditions =
                map.get("conditions") instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
        map.put("conditions", conditions);
        String text = holds ? "True" : "False";
        JsonObject condition = new JsonObject();
        condition.put("type", type);
        condition.put("status", text);
        condition.put("lastTransitionTime", verbs.cluster().now());
        condition.put("reason", reason);
        condition.put("message", message);
        for (int i = 0; i < conditions.size(); i++) {
            Object present = conditions.get(i);
            if (Json.string(present, "type").equals(type)) {
                if (Json.string(present, "status").equals(text) && Json.at(present, "lastTransitionTime") != null) {
                    condition.put("lastTransitionTime", Json.at(present, "lastTransitionTime"));
                }
                conditions.set(i, condition);
                return;
            }
        }
        conditions.add(condition);
    }
}
