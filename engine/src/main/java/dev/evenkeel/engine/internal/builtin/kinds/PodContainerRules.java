package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;

/** Rules of the subresources that change containers of a pod: {@code ephemeralcontainers} and {@code resize}. */
final class PodContainerRules {
    private static final String MIRROR = "kubernetes.io/config.mirror";
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
        return old.has("metadata", "annotations", MIRROR);
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

    /** The cpu and memory of containers and sidecars may change, but not what class of service the pod gets. */
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
        containers("containers");
        containers("initContainers");
    }

    private void containers(String kind) {
        List<JsonObject> former = old.objects("spec", kind);
        List<Field> containers = spec.at(kind).items();
        for (int i = 0; i < Math.min(former.size(), containers.size()); i++) {
            Field resources = containers.get(i).at("resources");
            JsonObject was = former.get(i).object("resources");
            boolean sidecar = former.get(i).string("restartPolicy").equals("Always");
            if (kind.equals("initContainers") && !sidecar) {
                if (!resources.object().equals(was)) {
                    resources.forbidden("resources for non-sidecar init containers are immutable");
                }
                continue;
            }
            for (String which : List.of("requests", "limits")) {
                if (!resources
                        .at(which)
                        .object()
                        .keySet()
                        .containsAll(was.object(which).keySet())) {
                    resources.at(which).forbidden("resource " + which + " cannot be removed");
                }
            }
            if (!others(resources.object()).equals(others(was))) {
                spec.forbidden("only cpu and memory resources are mutable");
            }
        }
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
