package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.Posting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Pods. They are not run, and stay Pending. */
record PodStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        tree.objects("spec", "containers").forEach(PodStrategy::requests);
        tree.objects("spec", "initContainers").forEach(PodStrategy::requests);
    }

    /** Copies limits to absent requests. */
    private static void requests(JsonObject container) {
        JsonObject limits = container.object("resources", "limits");
        if (!limits.isEmpty()) {
            JsonObject requests = container.withObject("resources").withObject("requests");
            limits.forEach(requests::putIfAbsent);
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        tree.put("status", JsonObject.of("phase", "Pending", "qosClass", qosClass(tree)));
    }

    /** Returns Guaranteed, Burstable or BestEffort, from the cpu and memory of all containers. */
    private static String qosClass(JsonObject pod) {
        boolean any = false;
        boolean guaranteed = true;
        List<@Nullable Object> containers = new ArrayList<>(pod.array("spec", "containers"));
        containers.addAll(pod.array("spec", "initContainers"));
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
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        if (!subresource.equals("binding")) {
            KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    @Override
    public void validate(Field root) {
        PodRules.pod(root);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        if (old != null) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>(PodWarnings.name(tree, "the Pod's hostname"));
        warnings.addAll(PodWarnings.of("", tree));
        return warnings;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        new PodUpdateRules(root, old).validate();
    }

    @Override
    public OptionalLong grace(JsonObject tree, OptionalLong requested) {
        String phase = tree.string("status", "phase");
        if (tree.string("spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return OptionalLong.of(0);
        }
        if (requested.isPresent()) {
            return OptionalLong.of(requested.getAsLong() < 0 ? 1 : requested.getAsLong());
        }
        return OptionalLong.of(
                seconds(tree, "spec", "terminationGracePeriodSeconds").orElse(30));
    }

    @Override
    public boolean countsGeneration(String subresource) {
        return !subresource.equals("binding");
    }

    @Override
    public Optional<Posting> posting(String subresource) {
        return switch (subresource) {
            case "binding" ->
                Optional.of((binding, context) ->
                        new Posting.Change(pod -> bind(pod, binding.string("target", "name"), context)));
            case "eviction" ->
                Optional.of((eviction, context) ->
                        new Posting.Deletion(seconds(eviction, "deleteOptions", "gracePeriodSeconds")));
            default -> Optional.empty();
        };
    }

    private static OptionalLong seconds(JsonObject tree, String... path) {
        return tree.at(path) instanceof Long seconds ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    private static void bind(JsonObject pod, String node, Context context) {
        JsonObject spec = pod.withObject("spec");
        String present = spec.string("nodeName");
        if (!present.isEmpty()) {
            String name = pod.string("metadata", "name");
            String message = "Operation cannot be fulfilled on pods/binding \"" + name + "\": pod " + name
                    + " is already assigned to node \"" + present + "\"";
            throw ApiException.of(Status.of(409, "Conflict", message, Status.Details.of(name, "", "pods/binding")));
        }
        spec.put("nodeName", node);
        JsonObject status = pod.withObject("status");
        List<@Nullable Object> conditions = new ArrayList<>(status.array("conditions"));
        conditions.removeIf(condition -> Json.string(condition, "type").equals("PodScheduled"));
        conditions.add(JsonObject.of("type", "PodScheduled", "status", "True")
                .set("lastProbeTime", null)
                .set("lastTransitionTime", Times.seconds(context.now())));
        status.put("conditions", conditions);
    }

    @Override
    public List<@Nullable Object> conditions(JsonObject tree) {
        return switch (tree.string("status", "phase")) {
            case "Succeeded" -> completed("Succeeded", "The pod has completed successfully.");
            case "Failed" -> completed("Failed", "The pod failed.");
            default -> List.of();
        };
    }

    private static List<@Nullable Object> completed(String reason, String message) {
        return Trees.items(JsonObject.of("type", "Completed", "status", "True", "reason", reason, "message", message));
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Ready" -> new PodSummary(tree).ready();
            case "Status" -> new PodSummary(tree).reason();
            case "Restarts" -> new PodSummary(tree).restarts(now);
            default -> gates(tree);
        };
    }

    private static String gates(JsonObject tree) {
        List<@Nullable Object> gates = tree.array("spec", "readinessGates");
        long open = gates.stream()
                .filter(gate -> Trees.isCondition(tree, Json.string(gate, "conditionType"), "True"))
                .count();
        return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
    }
}
