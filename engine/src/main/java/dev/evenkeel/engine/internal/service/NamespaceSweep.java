package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One pass over the objects of a namespace that ends: deletes them, the pods first and the other ones when no pod is left,
 * and finds out what remains.
 */
final class NamespaceSweep {
    private static final String PODS = "pods";

    private final Verbs verbs;
    private final String namespace;
    private final long age;
    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private long graceSeconds;

    private NamespaceSweep(Verbs verbs, String namespace, long age) {
        this.verbs = verbs;
        this.namespace = namespace;
        this.age = age;
    }

    /**
     * Deletes the objects of a namespace.
     *
     * @param marked the time at which the namespace was deleted
     */
    static NamespaceSweep of(Verbs verbs, String namespace, Instant marked) {
        WriteContext cluster = verbs.cluster();
        long age = cluster.clock().instant().getEpochSecond() - marked.getEpochSecond();
        NamespaceSweep sweep = new NamespaceSweep(verbs, namespace, age);
        List<ResourceType> types = cluster.types().get().all().stream()
                .filter(ResourceType::namespaced)
                .toList();
        types.stream().filter(type -> type.id().equals(PODS)).forEach(sweep::delete);
        if (sweep.resources.isEmpty()) {
            types.stream().filter(type -> !type.id().equals(PODS)).forEach(sweep::delete);
        }
        return sweep;
    }

    /** Returns the number of remaining objects by resource, such as {@code configmaps.}. */
    Map<String, Integer> resources() {
        return resources;
    }

    /** Returns the number of remaining objects by finalizer. */
    Map<String, Integer> finalizers() {
        return finalizers;
    }

    /** Returns why objects could not be deleted, sorted. */
    List<String> failures() {
        return failures.stream().sorted().toList();
    }

    /** Returns how long pods that remain may take to end, in seconds since the namespace was deleted; 0 when it has passed. */
    long graceSeconds() {
        return graceSeconds;
    }

    /** Returns true if nothing is left to delete. */
    boolean complete() {
        return resources.isEmpty() && failures.isEmpty();
    }

    private void delete(ResourceType type) {
        List<Remaining> present = content(type);
        long grace = type.id().equals(PODS) ? grace(present) : 0;
        try {
            present.forEach(object -> verbs.delete(object.target()));
        } catch (ApiException e) {
            if (e.getCause() instanceof StoreException) {
                throw e;
            }
            failures.add(e.getMessage());
            return;
        }
        int count = 0;
        boolean held = false;
        for (Remaining object : content(type)) {
            count++;
            for (String finalizer : object.entry().value().header().finalizers()) {
                held = true;
                finalizers.merge(finalizer, 1, Integer::sum);
            }
        }
        if (count > 0) {
            resources.put(type.plural() + "." + type.group(), count);
            graceSeconds = grace;
            if (!held && grace == 0) {
                failures.add("unexpected items still remain in namespace: " + namespace + " for gvr: " + type.group()
                        + "/" + type.versions().getFirst().name() + ", Resource=" + type.plural());
            }
        }
    }

    private record Remaining(Target target, Store.Entry entry) {}

    private List<Remaining> content(ResourceType type) {
        List<Remaining> content = new ArrayList<>();
        Target any = Target.of(type, type.storageVersion(), namespace, "");
        verbs.cluster()
                .each(
                        verbs.cluster().collection(type),
                        namespace,
                        entry -> content.add(new Remaining(
                                any.withName(namespace, entry.key().name()), entry)));
        return content;
    }

    /** Returns the longest grace period of pods that still run, unless it has passed. */
    private long grace(List<Remaining> pods) {
        long longest = pods.stream()
                .map(pod -> verbs.cluster().tree(pod.entry(), pod.target()))
                .filter(pod -> !List.of("Succeeded", "Failed").contains(pod.string("status", "phase")))
                .mapToLong(NamespaceSweep::grace)
                .max()
                .orElse(0);
        return age >= longest ? 0 : longest;
    }

    private static long grace(JsonObject pod) {
        return pod.integer("spec", "terminationGracePeriodSeconds");
    }
}
