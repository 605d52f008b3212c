package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Posting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods. In addition to the defaults, new pods get the additions of upstream's default admission plugins that need no
 * other object: priority 0 and the tolerations for nodes that fail. Pods are not run; they stay Pending.
 */
record PodStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                spec -> {
                    PodDefaults.spec(spec);
                    Trees.fill(spec, "enableServiceLinks", true);
                    Trees.each(spec, PodStrategy::requests, "containers");
                    Trees.each(spec, PodStrategy::requests, "initContainers");
                },
                "spec");
    }

    /** Copies limits to absent requests. */
    private static void requests(Map<String, @Nullable Object> container) {
        Map<String, @Nullable Object> limits = Trees.object(container, "resources", "limits");
        if (!limits.isEmpty()) {
            Map<String, @Nullable Object> requests = Trees.grow(Trees.grow(container, "resources"), "requests");
            limits.forEach(requests::putIfAbsent);
        }
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Trees.with(tree, PodStrategy::admit, "spec");
        tree.put("status", Trees.of("phase", "Pending", "qosClass", qosClass(tree)));
    }

    private static void admit(Map<String, @Nullable Object> spec) {
        String priorityClass = Json.string(spec, "priorityClassName");
        Trees.fill(
                spec,
                "priority",
                switch (priorityClass) {
                    case "system-node-critical" -> 2_000_001_000L;
                    case "system-cluster-critical" -> 2_000_000_000L;
                    default -> 0L;
                });
        Trees.fillText(spec, "preemptionPolicy", "PreemptLowerPriority");
        tolerate(spec);
    }

    private static void tolerate(Map<String, @Nullable Object> spec) {
        List<@Nullable Object> tolerations = new ArrayList<>(Trees.list(spec, "tolerations"));
        tolerate(tolerations, "node.kubernetes.io/not-ready");
        tolerate(tolerations, "node.kubernetes.io/unreachable");
        spec.put("tolerations", tolerations);
    }

    private static void tolerate(List<@Nullable Object> tolerations, String taint) {
        for (Object toleration : tolerations) {
            String key = Json.string(toleration, "key");
            String effect = Json.string(toleration, "effect");
            if ((key.equals(taint) || key.isEmpty()) && (effect.equals("NoExecute") || effect.isEmpty())) {
                return;
            }
        }
        tolerations.add(Trees.of("key", taint, "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", 300L));
    }

    /** Returns Guaranteed, Burstable or BestEffort, from the cpu and memory of all containers. */
    private static String qosClass(Map<String, @Nullable Object> pod) {
        boolean any = false;
        boolean guaranteed = true;
        List<@Nullable Object> containers = new ArrayList<>(Trees.list(pod, "spec", "containers"));
        containers.addAll(Trees.list(pod, "spec", "initContainers"));
        for (Object container : containers) {
            for (String resource : List.of("cpu", "memory")) {
                Object request = Json.at(container, "resources", "requests", resource);
                Object limit = Json.at(container, "resources", "limits", resource);
                any |= counts(request) || counts(limit);
                guaranteed &= counts(limit) && (request == null || request.equals(limit));
            }
        }
        return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean counts(@Nullable Object amount) {
        return amount != null && !amount.equals("0");
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> old,
            String subresource,
            Context context) {
        if (!subresource.equals("binding")) {
            KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        Trees.with(
                tree,
                spec -> {
                    Map<String, @Nullable Object> before = Trees.object(old, "spec");
                    for (String kept : List.of("priority", "preemptionPolicy")) {
                        if (!spec.containsKey(kept)) {
                            Trees.carry(before, spec, kept);
                        }
                    }
                    tolerate(spec);
                },
                "spec");
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        PodValidation.spec(Trees.object(tree, "spec"), "spec", Set.of(), errors);
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        Map<String, @Nullable Object> is = Json.copyObject(Trees.object(tree, "spec"));
        Map<String, @Nullable Object> was = Json.copyObject(Trees.object(old, "spec"));
        for (String containers : List.of("containers", "initContainers")) {
            if (Trees.list(is, containers).size() != Trees.list(was, containers).size()) {
                errors.forbidden("spec." + containers, "pod updates may not add or remove containers");
                return;
            }
            Trees.each(is, container -> container.remove("image"), containers);
            Trees.each(was, container -> container.remove("image"), containers);
        }
        free(is, was, "tolerations", Trees.list(is, "tolerations").containsAll(Trees.list(was, "tolerations")));
        free(
                is,
                was,
                "terminationGracePeriodSeconds",
                Json.integer(was, "terminationGracePeriodSeconds") < 0
                        && Json.integer(is, "terminationGracePeriodSeconds") == 1);
        free(
                is,
                was,
                "activeDeadlineSeconds",
                is.get("activeDeadlineSeconds") instanceof Long seconds
                        && (!(was.get("activeDeadlineSeconds") instanceof Long before) || seconds <= before));
        free(
                is,
                was,
                "schedulingGates",
                Trees.list(was, "schedulingGates").containsAll(Trees.list(is, "schedulingGates")));
        if (!is.equals(was)) {
            errors.forbidden(
                    "spec",
                    "pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                            + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
                            + " be set to 1 if it was previously negative)\n");
        }
    }

    /** Excludes a field from the comparison when its change is allowed. */
    private static void free(
            Map<String, @Nullable Object> is, Map<String, @Nullable Object> was, String field, boolean allowed) {
        if (allowed) {
            is.remove(field);
            was.remove(field);
        }
    }

    @Override
    public OptionalLong grace(Map<String, @Nullable Object> tree, OptionalLong requested) {
        String phase = Json.string(tree, "status", "phase");
        if (Json.string(tree, "spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return OptionalLong.of(0);
        }
        if (requested.isPresent()) {
            return OptionalLong.of(requested.getAsLong() < 0 ? 1 : requested.getAsLong());
        }
        return Json.at(tree, "spec", "terminationGracePeriodSeconds") instanceof Long seconds
                ? OptionalLong.of(seconds)
                : OptionalLong.of(30);
    }

    @Override
    public boolean countsGeneration(String subresource) {
        return !subresource.equals("binding");
    }

    @Override
    public Optional<Posting> posting(String subresource) {
        return switch (subresource) {
            case "binding" -> Optional.of(PodStrategy::binding);
            case "eviction" -> Optional.of(PodStrategy::eviction);
            default -> Optional.empty();
        };
    }

    private static Posting.Effect eviction(Map<String, @Nullable Object> eviction, Context context) {
        return new Posting.Deletion(
                Json.at(eviction, "deleteOptions", "gracePeriodSeconds") instanceof Long seconds
                        ? OptionalLong.of(seconds)
                        : OptionalLong.empty());
    }

    private static Posting.Effect binding(Map<String, @Nullable Object> binding, Context context) {
        return new Posting.Change(pod -> bind(pod, Json.string(binding, "target", "name"), context));
    }

    private static void bind(Map<String, @Nullable Object> pod, String node, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(pod, "spec");
        String present = Json.string(spec, "nodeName");
        if (!present.isEmpty()) {
            String name = Json.string(pod, "metadata", "name");
            throw ApiException.of(Status.of(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled on pods/binding \"" + name + "\": pod " + name
                            + " is already assigned to node \"" + present + "\"",
                    Status.Details.of(name, "", "pods/binding")));
        }
        spec.put("nodeName", node);
        Map<String, @Nullable Object> status = Trees.grow(pod, "status");
        List<@Nullable Object> conditions = new ArrayList<>(Trees.list(status, "conditions"));
        conditions.removeIf(condition -> Json.string(condition, "type").equals("PodScheduled"));
        Map<String, @Nullable Object> scheduled = Trees.of("type", "PodScheduled", "status", "True");
        scheduled.put("lastProbeTime", null);
        scheduled.put("lastTransitionTime", Times.seconds(context.now()));
        conditions.add(scheduled);
        status.put("conditions", conditions);
    }

    @Override
    public List<@Nullable Object> conditions(Map<String, @Nullable Object> tree) {
        return switch (Json.string(tree, "status", "phase")) {
            case "Succeeded" -> completed("Succeeded", "The pod has completed successfully.");
            case "Failed" -> completed("Failed", "The pod failed.");
            default -> List.of();
        };
    }

    private static List<@Nullable Object> completed(String reason, String message) {
        return Trees.items(Trees.of("type", "Completed", "status", "True", "reason", reason, "message", message));
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Ready" -> {
                PodSummary summary = new PodSummary(tree);
                yield summary.ready() + "/" + summary.total();
            }
            case "Status" -> new PodSummary(tree).reason();
            case "Restarts" -> new PodSummary(tree).restarts(now);
            default -> gates(tree);
        };
    }

    private static String gates(Map<String, @Nullable Object> tree) {
        List<@Nullable Object> gates = Trees.list(tree, "spec", "readinessGates");
        long open = gates.stream()
                .filter(gate -> Trees.isCondition(tree, Json.string(gate, "conditionType"), "True"))
                .count();
        return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
    }
}
