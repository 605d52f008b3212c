package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Empties namespaces that are marked for deletion, and removes them once they are empty.
 *
 * <p>Reacts to two events: a namespace is marked; an object in a marked namespace changed. Each time it deletes the
 * remaining objects (the pods, and when none is left the other ones, as upstream does), reports in the conditions which ones remain and why, and when none
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
    public void resume() {
        WriteContext cluster = verbs.cluster();
        List<String> marked = new ArrayList<>();
        cluster.each(cluster.collection(Namespaces.ID), "", entry -> {
            if (entry.value().deleting()) {
                marked.add(entry.key().name());
            }
        });
        terminating.addAll(marked);
        marked.forEach(this::look);
    }

    private void look(String namespace) {
        if (verbs.leadership().held() && pending.add(namespace)) {
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
        if (entry == null || !entry.value().deleting()) {
            return; // deleted, and perhaps created again
        }
        JsonObject tree = verbs.cluster().tree(entry, target);
        if (!tree.strings("spec", "finalizers").contains(FINALIZER)) {
            return;
        }
        Predicate<ResourceType> pods = type -> type.id().equals("pods");
        content(namespace, pods).forEach(verbs::delete);
        List<Target> remaining = content(namespace, pods);
        if (remaining.isEmpty()) {
            content(namespace, type -> true).forEach(verbs::delete);
            remaining = content(namespace, type -> true);
        }
        report(target, remaining);
    }

    /** Returns the objects of some types in a namespace. */
    private List<Target> content(String namespace, Predicate<ResourceType> wanted) {
        WriteContext cluster = verbs.cluster();
        List<Target> content = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ResourceType type : cluster.types().get().all()) {
            String collection = cluster.collection(type);
            if (type.namespaced() && wanted.test(type) && seen.add(collection)) {
                Target any = Target.of(type, type.storageVersion(), namespace, "");
                cluster.each(
                        collection,
                        namespace,
                        entry -> content.add(any.withName(namespace, entry.key().name())));
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
        Target status = new Target(target.type(), target.version(), "", target.name(), "status");
        verbs.edit(status, MANAGER, live -> conditions(live, resources, finalizers));
        if (remaining.isEmpty()) {
            Target finalize = new Target(target.type(), target.version(), "", target.name(), "finalize");
            verbs.edit(finalize, MANAGER, live -> Metadata.removeFinalizer(live.withObject("spec"), FINALIZER));
        }
    }

    private void conditions(JsonObject namespace, Map<String, Integer> resources, Map<String, Integer> finalizers) {
        String discovered = "All resources successfully discovered";
        set(namespace, "DeletionDiscoveryFailure", false, "ResourcesDiscovered", discovered);
        String parsed = "All legacy kube types successfully parsed";
        set(namespace, "DeletionGroupVersionParsingFailure", false, "ParsedGroupVersions", parsed);
        String deleted = "All content successfully deleted, may be waiting on finalization";
        set(namespace, "DeletionContentFailure", false, "ContentDeleted", deleted);
        boolean content = !resources.isEmpty();
        String left = content
                ? "Some resources are remaining: " + listed(resources, " has ")
                : "All content successfully removed";
        set(namespace, "ContentRemaining", content, content ? "SomeResourcesRemain" : "ContentRemoved", left);
        boolean held = !finalizers.isEmpty();
        String waiting = held
                ? "Some content in the namespace has finalizers remaining: " + listed(finalizers, " in ")
                : "All content-preserving finalizers finished";
        set(namespace, "FinalizersRemaining", held, held ? "SomeFinalizersRemain" : "ContentHasNoFinalizers", waiting);
    }

    private static String listed(Map<String, Integer> counts, String between) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + between + count.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    /** Sets a condition, whose type begins with Namespace. */
    private void set(JsonObject namespace, String name, boolean holds, String reason, String message) {
        String type = "Namespace" + name;
        JsonObject status = namespace.withObject("status");
        List<@Nullable Object> conditions = new ArrayList<>(status.array("conditions"));
        status.put("conditions", conditions);
        String text = holds ? "True" : "False";
        JsonObject condition = new JsonObject()
                .set("type", type)
                .set("status", text)
                .set("lastTransitionTime", verbs.cluster().now())
                .set("reason", reason)
                .set("message", message);
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
