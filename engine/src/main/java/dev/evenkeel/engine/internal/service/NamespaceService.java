package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Conditions;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Empties namespaces that are marked for deletion, and removes them once they are empty.
 *
 * <p>Reacts to two events: a namespace is marked; an object in a marked namespace changed. Each time it deletes the
 * remaining objects, reports in the conditions which ones remain and why, and when none remain removes {@code kubernetes}
 * from {@code spec.finalizers}. When a delete was refused, as by a webhook, or pods have a grace period, it tries again
 * later: at the first change of any object, or call of {@link #recheck}, after a delay that doubles with each failure.
 */
public final class NamespaceService implements WriteContext.Services {
    private static final String MANAGER = "kube-controller-manager";
    private static final String FINALIZER = "kubernetes";
    private static final Duration FIRST_DELAY = Duration.ofMillis(5);

    /** The number of times that the delay doubles, to 41 s. */
    private static final int DOUBLINGS = 13;

    private final SerialQueue queue;
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Map<String, Retry> retries = new ConcurrentHashMap<>();
    private final Verbs verbs;
    private final RemoteApis apis;

    /**
     * A later attempt.
     *
     * @param due the earliest time
     * @param failures the number of attempts that failed one after another
     */
    private record Retry(Instant due, int failures) {}

    /** @param apis of other servers: while one of them is not available, it is unknown what it has in a namespace */
    public NamespaceService(SerialQueue queue, Verbs verbs, RemoteApis apis) {
        this.queue = queue;
        this.verbs = verbs;
        this.apis = apis;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (!key.namespace().isEmpty()) {
            if (terminating.contains(key.namespace())) {
                look(key.namespace());
            }
        } else if (key.collection().endsWith("/" + Namespaces.ID)) {
            if (current == null) {
                terminating.remove(key.name());
                retries.remove(key.name());
            } else if (current.value().deleting() && terminating.add(key.name())) {
                look(key.name());
            }
        }
        recheck();
    }

    /** Tries again to empty namespaces whose content could not be deleted, once their time has come. */
    public void recheck() {
        if (retries.isEmpty()) {
            return; // at almost every commit
        }
        Instant now = verbs.cluster().clock().instant();
        retries.forEach((namespace, retry) -> {
            if (!now.isBefore(retry.due())) {
                look(namespace);
            }
        });
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
        Instant marked = Instant.parse(tree.string("metadata", "deletionTimestamp"));
        NamespaceSweep sweep = NamespaceSweep.of(verbs, namespace, marked);
        List<String> unknown = apis.unavailable();
        retry(namespace, sweep, !sweep.failures().isEmpty() || !unknown.isEmpty());
        report(target, sweep, unknown);
    }

    /** Decides when to look again though nothing in the namespace changes. */
    private void retry(String namespace, NamespaceSweep sweep, boolean failed) {
        Instant now = verbs.cluster().clock().instant();
        if (failed) {
            int failures = Optional.ofNullable(retries.get(namespace))
                            .map(Retry::failures)
                            .orElse(0)
                    + 1;
            Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
            retries.put(namespace, new Retry(now.plus(delay), failures));
        } else if (sweep.graceSeconds() > 0) {
            retries.put(namespace, new Retry(now.plusSeconds(sweep.graceSeconds() / 2 + 1), 0));
        } else {
            retries.remove(namespace);
        }
    }

    /** @param unknown the versions of groups whose resources are not known */
    private void report(Target target, NamespaceSweep sweep, List<String> unknown) {
        Target status = new Target(target.type(), target.version(), "", target.name(), "status");
        verbs.edit(status, MANAGER, live -> conditions(live, sweep, unknown));
        if (sweep.complete() && unknown.isEmpty()) {
            Target finalize = new Target(target.type(), target.version(), "", target.name(), "finalize");
            verbs.edit(finalize, MANAGER, live -> Metadata.removeFinalizer(live.withObject("spec"), FINALIZER));
        }
    }

    private void conditions(JsonObject namespace, NamespaceSweep sweep, List<String> unknown) {
        boolean hidden = !unknown.isEmpty();
        String discovered = hidden
                ? "Discovery failed for some groups, " + unknown.size()
                        + " failing: unable to retrieve the complete list of server APIs: "
                        + unknown.stream()
                                .map(version -> version + ": stale GroupVersion discovery: " + version)
                                .collect(Collectors.joining(", "))
                : "All resources successfully discovered";
        set(
                namespace,
                "DeletionDiscoveryFailure",
                hidden,
                hidden ? "DiscoveryFailed" : "ResourcesDiscovered",
                discovered);
        String parsed = "All legacy kube types successfully parsed";
        set(namespace, "DeletionGroupVersionParsingFailure", false, "ParsedGroupVersions", parsed);
        List<String> failures = sweep.failures();
        boolean failed = !failures.isEmpty();
        String deleted = failed
                ? "Failed to delete all resource types, " + failures.size() + " remaining: "
                        + String.join(", ", failures)
                : "All content successfully deleted, may be waiting on finalization";
        set(namespace, "DeletionContentFailure", failed, failed ? "ContentDeletionFailed" : "ContentDeleted", deleted);
        boolean content = !sweep.resources().isEmpty();
        String left = content
                ? "Some resources are remaining: " + listed(sweep.resources(), " has ")
                : "All content successfully removed";
        set(namespace, "ContentRemaining", content, content ? "SomeResourcesRemain" : "ContentRemoved", left);
        boolean held = !sweep.finalizers().isEmpty();
        String waiting = held
                ? "Some content in the namespace has finalizers remaining: " + listed(sweep.finalizers(), " in ")
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
        String text = holds ? "True" : "False";
        JsonObject condition = new JsonObject()
                .set("type", type)
                .set("status", text)
                .set("lastTransitionTime", verbs.cluster().now())
                .set("reason", reason)
                .set("message", message);
        Object present = Conditions.find(status, type);
        if (Json.string(present, "status").equals(text) && Json.at(present, "lastTransitionTime") != null) {
            condition.put("lastTransitionTime", Json.at(present, "lastTransitionTime"));
        }
        Conditions.put(status, condition);
    }
}
