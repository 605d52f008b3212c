package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;

/** Rules of the subresources that change containers of a pod: {@code ephemeralcontainers} and {@code resize}. */
final class PodContainerRules {
    private static final String CONTAINER = "core.v1.EphemeralContainer";
    private static final List<String> RESIZED = List.of("cpu", "memory");

    private final Field root;
    private final Field spec;
    private final JsonObject old;

    PodContainerRules(Field root, JsonObject old) {
        this.root = root;
        this.spec = root.at("spec");
        this.old = old;
    }

    private boolean isStatic() {
        return old.has("metadata", "annotations", PodAnnotationRules.MIRROR);
    }

    /** Containers may be added, and stay as they are. */
    void ephemeralContainers() {
        Field containers = spec.at("ephemeralContainers");
        if (isStatic()) {
            root.with("", null).forbidden("static pods do not support ephemeral containers");
            return;
        }
        for (JsonObject former : old.objects("spec", "ephemeralContainers")) {
            String name = former.string("name");
            JsonObject now = containers
                    .objects()
                    .map(Field::object)
                    .filter(container -> container.string("name").equals(name))
                    .findFirst()
                    .orElse(null);
            if (now == null) {
                containers.forbidden("existing ephemeral containers \"" + name + "\" may not be removed\n");
            } else if (!now.equals(former)) {
                containers.forbidden("existing ephemeral containers \"" + name + "\" may not be changed\n"
                        + UnifiedDiff.of(InternalForm.lines(CONTAINER, former), InternalForm.lines(CONTAINER, now)));
            }
        }
    }

    /** The cpu and memory of the pod and its containers may change, but not what class of service the pod gets. */
    void resize() {
        String refused = isStatic()
                ? "static pods cannot be resized"
                : old.string("spec", "os", "name").equals("windows") ? "windows pods cannot be resized" : "";
        if (!refused.isEmpty()) {
            root.with("", null).forbidden(refused);
            return;
        }
        String before = old.string("status", "qosClass");
        if (!QosClass.of(root.object()).equals(before)) {
            spec.invalid(before, "Pod QOS Class may not change as a result of resizing");
        }
        old.objects("status", "containerStatuses").stream()
                .filter(status -> status.has("state", "running"))
                .findFirst()
                .filter(status -> !status.has("resources"))
                .ifPresent(status -> spec.forbidden("Pod running on node without support for resize"));
        whole(spec.at("resources"), old.object("spec", "resources"));
        boolean ordered = isOrdered("containers");
        ordered &= isOrdered("initContainers");
        if (ordered) {
            containers("initContainers", ResizeStep.REMOVALS);
            containers("containers", ResizeStep.REMOVALS);
            containers("containers", ResizeStep.OTHERS);
            containers("initContainers", ResizeStep.OTHERS);
        }
    }

    /** Checks the resources of the pod as a whole, if it has or had any. */
    private void whole(Field resources, JsonObject was) {
        if (isEmpty(was) && isEmpty(resources.object())) {
            return;
        }
        if (old.has("spec", "resources") && !resources.given()) {
            resources.forbidden("pod-level resources cannot be removed");
            return;
        }
        removals(resources, was, "pod-level resource ");
        if (!others(resources.object()).equals(others(was))) {
            spec.forbidden("only cpu and memory resources are mutable at pod-level");
        }
    }

    private static boolean isEmpty(JsonObject resources) {
        return resources.object("requests").isEmpty()
                && resources.object("limits").isEmpty();
    }

    /** Returns the names of containers of a kind. */
    static List<String> names(JsonObject spec, String kind) {
        return spec.objects(kind).stream()
                .map(container -> container.string("name"))
                .toList();
    }

    /** Checks that the containers are those that there were, in their order. */
    private boolean isOrdered(String kind) {
        List<String> is = names(spec.object(), kind);
        List<String> was = names(old.object("spec"), kind);
        if (is.size() != was.size()) {
            spec.at(kind).forbidden(kind + " may not be added or removed on resize");
            return false;
        }
        for (int i = 0; i < is.size(); i++) {
            if (!is.get(i).equals(was.get(i))) {
                spec.at(kind).items().get(i).at("name").forbidden(kind + " may not be renamed or reordered on resize");
            }
        }
        return is.equals(was);
    }

    /** A check of a container, once the containers are known to be the same. */
    private enum ResizeStep {
        REMOVALS,
        OTHERS
    }

    private void containers(String kind, ResizeStep step) {
        List<JsonObject> former = old.objects("spec", kind);
        List<Field> containers = spec.at(kind).items();
        for (int i = 0; i < former.size(); i++) {
            Field container = containers.get(i);
            JsonObject was = former.get(i);
            if (step == ResizeStep.REMOVALS) {
                removals(container.at("resources"), was.object("resources"), "resource ");
            } else if (kind.equals("containers")) {
                if (!fixed(container.object()).equals(fixed(was))) {
                    spec.forbidden("only cpu and memory resources are mutable");
                }
            } else {
                initContainer(container, was);
            }
        }
    }

    private static void initContainer(Field container, JsonObject was) {
        JsonObject is = container.object();
        if (!fixed(is).equals(fixed(was))) {
            container.forbidden("only cpu and memory resources for init or sidecar containers are mutable");
        }
        if (!is.string("restartPolicy").equals("Always") && !is.equals(was)) {
            is.objects("resizePolicy").stream()
                    .filter(policy -> policy.string("restartPolicy").equals("RestartContainer"))
                    .forEach(policy -> container.forbidden("non-sidecar init containers with a resize policy of"
                            + " RestartContainer cannot be resized"));
        }
    }

    private static void removals(Field resources, JsonObject was, String subject) {
        for (String which : List.of("requests", "limits")) {
            if (!resources
                    .at(which)
                    .object()
                    .keySet()
                    .containsAll(was.object(which).keySet())) {
                resources.at(which).forbidden(subject + which + " cannot be removed");
            }
        }
    }

    /** Returns a container without the resources that may change. */
    private static JsonObject fixed(JsonObject container) {
        return container.copy().set("resources", others(container.object("resources")));
    }

    private static JsonObject others(JsonObject resources) {
        JsonObject others = resources.copy();
        for (String which : List.of("requests", "limits")) {
            others.object(which).keySet().removeAll(RESIZED);
            if (others.object(which).isEmpty()) {
                others.remove(which);
            }
        }
        return others;
    }
}
