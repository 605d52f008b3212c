package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.List;

/**
 * The resources that a pod needs as a whole: the sum of its containers, or more where an init container needs more while
 * the others do not run yet. Sidecars, the init containers that are restarted, run next to the containers and to the init
 * containers after them. ResourceAmounts that the pod itself states outweigh those of its containers.
 */
record PodResources(JsonObject pod) {
    /** Returns the total requests. */
    ResourceAmounts requests() {
        return total("requests", false);
    }

    /** Returns the total limits. */
    ResourceAmounts limits() {
        return total("limits", false);
    }

    /** Returns the requests that a quota is charged: with the overhead, and with what the pod has while it is resized. */
    ResourceAmounts chargedRequests() {
        return total("requests", true).plus(ResourceAmounts.of(pod, "spec", "overhead"));
    }

    /** Returns the limits that a quota is charged: with the overhead of the limited resources. */
    ResourceAmounts chargedLimits() {
        ResourceAmounts limits = total("limits", true);
        return limits.plus(ResourceAmounts.of(pod, "spec", "overhead").only(limits.names()));
    }

    private ResourceAmounts total(String kind, boolean actual) {
        ResourceAmounts running = ResourceAmounts.NONE;
        for (JsonObject container : pod.objects("spec", "containers")) {
            running = running.plus(of(container, "containerStatuses", kind, actual));
        }
        ResourceAmounts sidecars = ResourceAmounts.NONE;
        ResourceAmounts starting = ResourceAmounts.NONE;
        for (JsonObject container : pod.objects("spec", "initContainers")) {
            ResourceAmounts own = of(container, "initContainerStatuses", kind, actual);
            if (container.string("restartPolicy").equals("Always")) {
                running = running.plus(own);
                sidecars = sidecars.plus(own);
                starting = starting.max(sidecars);
            } else {
                starting = starting.max(own.plus(sidecars));
            }
        }
        ResourceAmounts total = running.max(starting);
        JsonObject stated = pod.object("spec", "resources", kind);
        for (String name : stated.keySet()) {
            if (isPodLevel(name)) {
                total = total.with(name, Quantity.parse(stated.string(name)));
            }
        }
        return total;
    }

    private static boolean isPodLevel(String name) {
        return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
    }

    private ResourceAmounts of(JsonObject container, String statuses, String kind, boolean actual) {
        ResourceAmounts wanted = ResourceAmounts.of(container, "resources", kind);
        if (!actual) {
            return wanted;
        }
        String name = container.string("name");
        for (JsonObject status : pod.objects("status", statuses)) {
            if (status.string("name").equals(name) && status.has("resources")) {
                ResourceAmounts had = ResourceAmounts.of(status, "resources", kind);
                if (kind.equals("requests")) {
                    had = had.max(ResourceAmounts.of(status, "allocatedResources"));
                }
                return isInfeasible() ? had : wanted.max(had);
            }
        }
        return wanted;
    }

    private boolean isInfeasible() {
        return pod.objects("status", "conditions").stream()
                .anyMatch(condition -> condition.string("type").equals("PodResizePending")
                        && condition.string("reason").equals("Infeasible"));
    }

    /** Returns true if the pod states resources itself. */
    boolean isStatedByPod() {
        return List.of("requests", "limits").stream()
                .anyMatch(kind -> Json.object(pod.at("spec", "resources", kind))
                        .filter(stated -> stated.keySet().stream().anyMatch(PodResources::isPodLevel))
                        .isPresent());
    }
}
