package dev.evenkeel.simulation.internal.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.client.Patch;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The report of a kubelet on a pod, as a strategic merge patch of the status: conditions that others have set stay. The uid
 * in it keeps it from another pod of the same name.
 */
public record PodReport(Pod pod, Instant now) {
    /** The reason of the condition of a pod that was started and not yet made ready. */
    public static final String NOT_READY = "ContainersNotReady";

    /**
     * Returns the report that the containers run.
     *
     * @param host the address of the node; empty if it has none
     */
    public Patch running(String address, String host, boolean ready) {
        ObjectNode patch = patch();
        ObjectNode status = patch.putObject("status");
        status.put("phase", "Running").put("startTime", time());
        if (!host.isEmpty()) {
            status.put("hostIP", host).putArray("hostIPs").addObject().put("ip", host);
        }
        status.put("podIP", address).putArray("podIPs").addObject().put("ip", address);
        ArrayNode conditions = conditions(status, ready);
        condition(conditions, "PodScheduled", true);
        condition(conditions, "Initialized", true);
        containers(status, time(), ready);
        return Patch.strategic(patch.toString());
    }

    /** Returns the report that the containers are ready. */
    public Patch ready() {
        ObjectNode patch = patch();
        ObjectNode status = patch.putObject("status");
        ArrayNode unused = conditions(status, true);
        String started = pod.getStatus().getStartTime();
        containers(status, started == null ? time() : started, true);
        return Patch.strategic(patch.toString());
    }

    /** Returns the report that the containers have ended without a failure. */
    public Patch succeeded() {
        ObjectNode patch = patch();
        ObjectNode status = patch.putObject("status");
        status.put("phase", "Succeeded").put("startTime", time());
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "PodScheduled", true);
        condition(conditions, "Initialized", true);
        ArrayNode statuses = status.putArray("containerStatuses");
        for (Container container : pod.getSpec().getContainers()) {
            container(statuses, container, false)
                    .putObject("terminated")
                    .put("exitCode", 0)
                    .put("reason", "Completed")
                    .put("startedAt", time())
                    .put("finishedAt", time());
        }
        return Patch.strategic(patch.toString());
    }

    private ObjectNode patch() {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("uid", pod.getMetadata().getUid());
        return patch;
    }

    private ArrayNode conditions(ObjectNode status, boolean ready) {
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "ContainersReady", ready);
        condition(conditions, "Ready", ready);
        return conditions;
    }

    private void condition(ArrayNode conditions, String type, boolean value) {
        ObjectNode condition = conditions
                .addObject()
                .put("type", type)
                .put("status", value ? "True" : "False")
                .put("lastTransitionTime", time());
        if (value) {
            condition.putNull("reason");
        } else {
            condition.put("reason", NOT_READY);
        }
    }

    private void containers(ObjectNode status, String started, boolean ready) {
        ArrayNode statuses = status.putArray("containerStatuses");
        for (Container container : pod.getSpec().getContainers()) {
            container(statuses, container, ready).putObject("running").put("startedAt", started);
        }
    }

    /** Adds the status of a container; returns its state. */
    private ObjectNode container(ArrayNode statuses, Container container, boolean ready) {
        String image = container.getImage() == null ? "" : container.getImage();
        return statuses.addObject()
                .put("name", container.getName())
                .put("image", image)
                .put("imageID", "")
                .put("containerID", "evenkeel://" + pod.getMetadata().getUid() + "/" + container.getName())
                .put("ready", ready)
                .put("started", ready)
                .put("restartCount", 0)
                .putObject("state");
    }

    private String time() {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
