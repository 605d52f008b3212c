package dev.evenkeel.load.internal.kubelet;

import dev.evenkeel.load.PodDelays;
import dev.evenkeel.simulation.internal.workload.PodReport;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.util.Optional;

/** A step in the life of a pod. */
enum PodStep {
    /** Gives the pod a node. */
    BIND,
    /** Reports that its containers run, and its address. */
    START,
    /** Reports that they are ready. */
    READY,
    /** Ends its deletion. */
    STOP;

    /**
     * Returns the step that a pod needs; empty if it needs none. It depends on nothing but the pod, so what others write
     * stays: a pod whose address was cleared, or that was made unready, is left so.
     */
    static Optional<PodStep> next(Pod pod) {
        PodStatus status = pod.getStatus();
        String phase = status == null || status.getPhase() == null ? "" : status.getPhase();
        String node = node(pod);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
            // zero: it was deleted, and finalizers hold it
            return grace == null || grace > 0 ? Optional.of(STOP) : Optional.empty();
        }
        if (node.isEmpty()) {
            return pod.getSpec().getSchedulingGates().isEmpty() ? Optional.of(BIND) : Optional.empty();
        }
        return switch (phase) {
            case "", "Pending" -> Optional.of(START);
            case "Running" -> isStarted(status) ? Optional.of(READY) : Optional.empty();
            default -> Optional.empty();
        };
    }

    static String node(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    private static boolean isStarted(PodStatus status) {
        for (PodCondition condition : status.getConditions()) {
            if ("ContainersReady".equals(condition.getType())) {
                return "False".equals(condition.getStatus()) && PodReport.NOT_READY.equals(condition.getReason());
            }
        }
        return false;
    }

    Duration delay(PodDelays delays) {
        return switch (this) {
            case BIND -> delays.schedule();
            case START -> delays.start();
            case READY -> delays.ready();
            case STOP -> delays.stop();
        };
    }
}
