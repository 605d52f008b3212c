package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.Posting;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Pods. They are not run, and stay Pending. */
record PodStrategy(KindFacts facts) implements KindStrategy {
    private static final String OBSERVED = "observedGeneration";

    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        tree.objects("spec", "containers").forEach(PodStrategy::requests);
        tree.objects("spec", "initContainers").forEach(PodStrategy::requests);
        tree.findObject("status").ifPresent(PodStrategy::addresses);
        if (!tree.object("spec", "resources", "limits").isEmpty()) {
            podRequests(tree.object("spec"));
        }
    }

    /** Copies limits to absent requests. */
    private static void requests(JsonObject container) {
        JsonObject limits = container.object("resources", "limits");
        if (!limits.isEmpty()) {
            JsonObject requests = container.withObject("resources").withObject("requests");
            limits.forEach(requests::putIfAbsent);
        }
    }

    /** Makes {@code podIP} and {@code podIPs} agree: the former counts, since older clients know only that. */
    private static void addresses(JsonObject status) {
        List<JsonObject> all = status.objects("podIPs");
        String first = all.isEmpty() ? "" : all.getFirst().string("ip");
        String address = status.string("podIP");
        if (address.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        } else if (!address.equals(first)) {
            status.put("podIPs", Trees.items(JsonObject.of("ip", address)));
        }
    }

    /** Fills in the requests of a pod that has limits as a whole: those of its containers together, else its limits. */
    private static void podRequests(JsonObject spec) {
        JsonObject resources = spec.object("resources");
        JsonObject requests = resources.object("requests").copy();
        Map<String, Quantity> sums = PodRequests.of(spec);
        for (String name : List.of("cpu", "memory")) {
            if (sums.containsKey(name)) {
                requests.putIfAbsent(name, sums.get(name).text());
            }
        }
        resources.object("limits").forEach(requests::putIfAbsent);
        if (!requests.isEmpty()) {
            resources.put("requests", requests);
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        if (tree.integer("spec", "terminationGracePeriodSeconds") < 0) {
            tree.withObject("spec").put("terminationGracePeriodSeconds", 1L);
        }
        JsonObject status = JsonObject.of("phase", "Pending", "qosClass", QosClass.of(tree));
        if (!tree.array("spec", "schedulingGates").isEmpty()) {
            status.put(
                    "conditions",
                    Trees.items(JsonObject.of("type", "PodScheduled", "status", "False")
                            .set("lastProbeTime", null)
                            .set("lastTransitionTime", Times.seconds(context.now()))
                            .set("reason", "SchedulingGated")
                            .set("message", "Scheduling is blocked due to non-empty scheduling gates")));
        }
        tree.put("status", status);
        SchedulingRules.mergeLabels(tree);
        PodAnnotationRules.fillProfiles(tree, context.warnings());
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        switch (subresource) {
            case "binding", "eviction" -> {
                // the posting has changed what may change
            }
            case "ephemeralcontainers", "resize" -> {
                JsonObject sent = tree.object("spec").copy();
                if (subresource.equals("resize") && !isSameCount(sent, old.object("spec"))) {
                    return;
                }
                tree.copyMember("spec", old);
                tree.copyMember("status", old);
                KindStrategy.restore(tree, old, List.of("metadata"));
                JsonObject spec = tree.withObject("spec");
                if (subresource.equals("resize")) {
                    resize(spec, sent);
                } else {
                    spec.copyMember("ephemeralContainers", sent);
                }
            }
            default -> KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    /** Returns whether a pod has as many containers as before; one that has not is refused as it was sent. */
    private static boolean isSameCount(JsonObject spec, JsonObject old) {
        return List.of("containers", "initContainers").stream()
                .allMatch(kind -> spec.array(kind).size() == old.array(kind).size());
    }

    /** Takes over the resources of the pod and of its containers, and nothing else unless they have other names. */
    private static void resize(JsonObject spec, JsonObject sent) {
        spec.copyMember("resources", sent);
        for (String kind : List.of("containers", "initContainers")) {
            if (!PodContainerRules.names(spec, kind).equals(PodContainerRules.names(sent, kind))) {
                spec.copyMember(kind, sent);
                continue;
            }
            List<JsonObject> containers = spec.objects(kind);
            for (int i = 0; i < containers.size(); i++) {
                JsonObject other = sent.objects(kind).get(i);
                containers.get(i).copyMember("resources", other);
                containers.get(i).copyMember("resizePolicy", other);
            }
        }
    }

    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        JsonObject status = tree.withObject("status");
        if (status.string("qosClass").isEmpty()) {
            status.copyMember("qosClass", old.object("status"));
        }
        keepGenerations(status, old.object("status"));
    }

    /** Keeps the generations that older kubelets, which do not know them, leave out: of each type in their order. */
    private static void keepGenerations(JsonObject status, JsonObject before) {
        if (status.integer(OBSERVED) == 0) {
            status.copyMember(OBSERVED, before);
        }
        List<JsonObject> former = new ArrayList<>(before.objects("conditions"));
        for (JsonObject condition : status.objects("conditions")) {
            JsonObject was = former.stream()
                    .filter(other -> other.string("type").equals(condition.string("type")))
                    .findFirst()
                    .orElseGet(JsonObject::new);
            former.remove(was);
            if (condition.integer(OBSERVED) == 0) {
                condition.copyMember(OBSERVED, was);
            }
        }
    }

    @Override
    public void validateSubresourceUpdate(Field root, JsonObject old, String subresource) {
        if (subresource.equals("ephemeralcontainers")) {
            PodRules.pod(root, old);
            annotationUpdate(root, old);
            new PodContainerRules(root, old).ephemeralContainers();
        } else if (subresource.equals("resize")) {
            PodRules.pod(root, old);
            new PodContainerRules(root, old).resize();
        }
    }

    private static JsonObject annotations(JsonObject pod) {
        return pod.object("metadata", "annotations");
    }

    private static void annotationUpdate(Field root, JsonObject old) {
        PodAnnotationRules.validateUpdate(root.at("metadata", "annotations"), root.at("spec"), annotations(old));
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        annotationUpdate(root, old);
        new PodStatusRules(root, old).validate();
    }

    @Override
    public void validate(Field root) {
        PodRules.pod(root, new JsonObject());
    }

    @Override
    public void validateNew(Field root) {
        Field spec = root.at("spec");
        if (!spec.at("ephemeralContainers").array().isEmpty()) {
            spec.at("ephemeralContainers").forbidden("cannot be set on create");
        }
        if (!spec.at("nodeName").text().isEmpty()
                && !spec.at("schedulingGates").array().isEmpty()) {
            spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
        }
        PodAnnotationRules.validateFields(annotations(root.object()), spec);
    }

    /** A pod that changes is checked with what it was before. */
    @Override
    public boolean validatesWhole() {
        return false;
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
    public List<String> statusWarnings(JsonObject tree) {
        return PodWarnings.status(tree);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        PodRules.pod(root, old);
        annotationUpdate(root, old);
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
                Optional.of((binding, name, context) -> {
                    checkName(binding, name, "Binding");
                    checkBinding(binding);
                    if (name.isEmpty()) {
                        throw Refusal.badRequest("Name parameter required.");
                    }
                    return new Posting.Change(pod -> bind(pod, binding, context));
                });
            case "eviction" ->
                Optional.of((eviction, name, context) -> {
                    checkName(eviction, name, "Eviction");
                    return new Posting.Eviction(eviction);
                });
            default -> Optional.empty();
        };
    }

    private static OptionalLong seconds(JsonObject tree, String... path) {
        return tree.at(path) instanceof Long seconds ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    private static void checkName(JsonObject document, String name, String kind) {
        if (!document.string("metadata", "name").equals(name)) {
            throw Refusal.badRequest("name in URL does not match name in " + kind + " object");
        }
    }

    private static void checkBinding(JsonObject binding) {
        List<FieldError> errors = new ArrayList<>();
        Field target = Field.of(binding, errors).at("target");
        if (!target.at("kind").text().isEmpty() && !target.at("kind").text().equals("Node")) {
            target.at("kind").oneOf("Node", "<empty>");
        }
        var unused = target.at("name").require();
        if (!errors.isEmpty()) {
            List<String> texts = errors.stream().map(FieldError::text).toList();
            throw Refusal.internal(texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]");
        }
    }

    private static void bind(JsonObject pod, JsonObject binding, Context context) {
        JsonObject spec = pod.withObject("spec");
        JsonObject metadata = pod.withObject("metadata");
        String name = metadata.string("name");
        String why = metadata.has("deletionTimestamp")
                ? "pod " + name + " is being deleted, cannot be assigned to a host"
                : !spec.string("nodeName").isEmpty()
                        ? "pod " + name + " is already assigned to node \"" + spec.string("nodeName") + "\""
                        : spec.array("schedulingGates").isEmpty()
                                ? ""
                                : "pod " + name + " has non-empty .spec.schedulingGates";
        if (!why.isEmpty()) {
            String message = "Operation cannot be fulfilled on pods/binding \"" + name + "\": " + why;
            throw ApiException.of(Status.of(409, "Conflict", message, Status.Details.of(name, "", "pods/binding")));
        }
        spec.put("nodeName", binding.string("target", "name"));
        for (String map : List.of("annotations", "labels")) {
            JsonObject sent = binding.object("metadata", map);
            if (!sent.isEmpty()) {
                metadata.withObject(map).putAll(sent);
            }
        }
        JsonObject status = pod.withObject("status");
        status.remove("nominatedNodeName");
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
