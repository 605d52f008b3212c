package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rules of the change of a pod, in upstream's order: few fields may change, each in its own way. What may change is made
 * equal in a copy; what is then different is refused.
 */
final class PodUpdateRules {
    private static final String SPEC = "core.v1.PodSpec";
    private static final String NODE_AFFINITY = "nodeAffinity";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    private final Field spec;
    private final JsonObject was;
    private final JsonObject is;

    PodUpdateRules(Field root, JsonObject old) {
        spec = root.at("spec");
        was = old.object("spec").copy();
        is = spec.object().copy();
    }

    void validate() {
        if (!containers("containers") || !containers("initContainers") || !deadline()) {
            return;
        }
        tolerations();
        gates();
        is.copyMember("activeDeadlineSeconds", was);
        is.copyMember("schedulingGates", was);
        is.copyMember("tolerations", was);
        String grace = "terminationGracePeriodSeconds";
        if (was.integer(grace) < 0 && is.integer(grace) == 1) {
            is.copyMember(grace, was);
        }
        if (!was.array("schedulingGates").isEmpty()) {
            nodeSelector();
            nodeAffinity();
        }
        if (!is.equals(was)) {
            spec.forbidden("pod updates may not change fields other than"
                    + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                    + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
                    + " be set to 1 if it was previously negative)\n"
                    + UnifiedDiff.of(InternalForm.lines(SPEC, was), InternalForm.lines(SPEC, is)));
        }
    }

    /** Returns false if nothing else is worth checking. */
    private boolean containers(String kind) {
        Field containers = spec.at(kind);
        List<JsonObject> former = was.objects(kind);
        if (containers.array().size() != former.size()) {
            containers.forbidden("pod updates may not add or remove containers");
            return false;
        }
        for (Field container : containers.items()) {
            Field image = container.at("image");
            var unused = image.require();
            PodRules.imageText(container);
        }
        List<JsonObject> copies = is.objects(kind);
        for (int i = 0; i < former.size(); i++) {
            copies.get(i).copyMember("image", former.get(i));
        }
        return true;
    }

    /** A deadline may be set, and then only come nearer. Returns false if it is so wrong that nothing else counts. */
    private boolean deadline() {
        Field deadline = spec.at("activeDeadlineSeconds");
        boolean had = was.has("activeDeadlineSeconds");
        if (!deadline.given()) {
            if (had) {
                deadline.invalid("must not update from a positive integer to nil value");
            }
            return true;
        }
        if (deadline.number() < 0 || deadline.number() > Integer.MAX_VALUE) {
            deadline.between(0, Integer.MAX_VALUE);
            return false;
        }
        if (had && was.integer("activeDeadlineSeconds") < deadline.number()) {
            deadline.invalid("must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private void tolerations() {
        Field tolerations = spec.at("tolerations");
        for (JsonObject former : was.objects("tolerations")) {
            boolean found = tolerations.items().stream().anyMatch(toleration -> {
                JsonObject expected = former.copy();
                expected.copyMember("tolerationSeconds", toleration.object());
                return expected.equals(toleration.object());
            });
            if (!found) {
                tolerations.forbidden("existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
        SchedulingRules.tolerations(tolerations);
    }

    private void gates() {
        Set<String> known = new HashSet<>();
        was.objects("schedulingGates").forEach(gate -> known.add(gate.string("name")));
        for (Field gate : spec.at("schedulingGates").items()) {
            String name = gate.at("name").text();
            if (!known.contains(name)) {
                gate.at("name").forbidden("only deletion is allowed, but found new scheduling gate '" + name + "'");
            }
        }
    }

    private void nodeSelector() {
        JsonObject former = was.object("nodeSelector");
        Field selector = spec.at("nodeSelector");
        if (!selector.object().equals(former)) {
            if (!selector.object().entrySet().containsAll(former.entrySet())) {
                selector.invalid("only additions to spec.nodeSelector are allowed (no mutations or deletions)");
            }
            is.copyMember("nodeSelector", was);
        }
    }

    private void nodeAffinity() {
        Field affinity = spec.at("affinity", NODE_AFFINITY);
        JsonObject former = was.object("affinity", NODE_AFFINITY);
        if (Objects.equals(affinity.object(), former)) {
            return;
        }
        if (former.has(REQUIRED)) {
            required(affinity.at(REQUIRED), former.object(REQUIRED));
        }
        if (!was.has("affinity") && is.object("affinity").size() <= 1) {
            is.remove("affinity");
        } else if (was.has("affinity") || is.has("affinity")) {
            is.withObject("affinity").copyMember(NODE_AFFINITY, was.object("affinity"));
        }
    }

    private static void required(Field required, JsonObject former) {
        List<JsonObject> terms = former.objects("nodeSelectorTerms");
        Field now = required.at("nodeSelectorTerms");
        if (now.array().size() != terms.size()) {
            now.invalidText(shown(now), "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            Field term = now.items().get(i);
            JsonObject old = terms.get(i);
            boolean nothing = old.array("matchExpressions").isEmpty()
                    && old.array("matchFields").isEmpty();
            boolean added = !nothing
                    && starts(term.at("matchExpressions").array(), old.array("matchExpressions"))
                    && starts(term.at("matchFields").array(), old.array("matchFields"));
            if (!added && !term.object().equals(old)) {
                term.invalidText(
                        InternalForm.text("core.v1.NodeSelectorTerm", term.value()),
                        "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    private static String shown(Field terms) {
        return terms.items().stream()
                .map(term -> InternalForm.text("core.v1.NodeSelectorTerm", term.value()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static boolean starts(List<?> list, List<?> first) {
        return list.size() >= first.size() && list.subList(0, first.size()).equals(first);
    }
}
