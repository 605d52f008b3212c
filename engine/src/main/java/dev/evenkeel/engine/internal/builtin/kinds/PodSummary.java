package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ready containers, restarts and the reason shown as the status of a pod, which is that of the most relevant container.
 */
final class PodSummary {
    private final JsonObject pod;
    /** The names of the init containers that are always restarted. */
    private final List<String> sidecars;

    private long total;
    private long ready;
    private long restarts;
    private String lastRestart = "";
    private String reason;
    /** The restarts of sidecars alone, which count when the other init containers have ended. */
    private long sidecarRestarts;

    private String lastSidecarRestart = "";

    PodSummary(JsonObject pod) {
        this.pod = pod;
        total = pod.array("spec", "containers").size();
        String phase = pod.string("status", "phase");
        String given = pod.string("status", "reason");
        reason = given.isEmpty() ? phase : given;
        if (pod.objects("status", "conditions").stream()
                .anyMatch(condition -> condition.string("type").equals("PodScheduled")
                        && condition.string("reason").equals("SchedulingGated"))) {
            reason = "SchedulingGated";
        }
        sidecars = pod.objects("spec", "initContainers").stream()
                .filter(container -> container.string("restartPolicy").equals("Always"))
                .map(container -> container.string("name"))
                .toList();
        total += sidecars.size();
        boolean initializing = init();
        if (!initializing || Trees.isCondition(pod, "Initialized", "True")) {
            main();
        }
        if (pod.has("metadata", "deletionTimestamp")) {
            if (pod.string("status", "reason").equals("NodeLost")) {
                reason = "Unknown";
            } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                reason = "Terminating";
            }
        }
    }

    /** Returns the numbers of ready and of all containers. */
    String ready() {
        return ready + "/" + total;
    }

    String reason() {
        return reason;
    }

    /** Returns the number of restarts, and the age of the last one. */
    String restarts(Instant now) {
        return restarts == 0 || lastRestart.isEmpty()
                ? Long.toString(restarts)
                : restarts + " (" + Ages.of(Duration.between(Times.parse(lastRestart), now)) + " ago)";
    }

    private void countRestarts(@Nullable Object status) {
        restarts += Json.integer(status, "restartCount");
        lastRestart = later(lastRestart, status);
    }

    /** Returns the later one of a time and the last end of a container. */
    private static String later(String time, @Nullable Object status) {
        String finished = Json.string(status, "lastState", "terminated", "finishedAt");
        return finished.compareTo(time) > 0 ? finished : time;
    }

    /** Returns true if init containers have not finished. */
    private boolean init() {
        List<@Nullable Object> statuses = pod.array("status", "initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            Object status = statuses.get(i);
            countRestarts(status);
            boolean sidecar = sidecars.contains(Json.string(status, "name"));
            if (sidecar) {
                sidecarRestarts += Json.integer(status, "restartCount");
                lastSidecarRestart = later(lastSidecarRestart, status);
            }
            Object terminated = Json.at(status, "state", "terminated");
            if (terminated != null && Json.integer(terminated, "exitCode") == 0) {
                continue;
            }
            if (sidecar && Trees.isTrue(status, "started")) {
                ready += Trees.isTrue(status, "ready") ? 1 : 0;
                continue;
            }
            String waiting = Json.string(status, "state", "waiting", "reason");
            if (terminated != null) {
                reason = "Init:" + ended(terminated);
            } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                reason = "Init:" + waiting;
            } else {
                reason = "Init:" + i + "/" + pod.array("spec", "initContainers").size();
            }
            return true;
        }
        return false;
    }

    private void main() {
        restarts = sidecarRestarts;
        lastRestart = lastSidecarRestart;
        boolean running = false;
        String error = "";
        List<@Nullable Object> statuses = pod.array("status", "containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            Object status = statuses.get(i);
            countRestarts(status);
            String waiting = Json.string(status, "state", "waiting", "reason");
            Object terminated = Json.at(status, "state", "terminated");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated != null) {
                reason = ended(terminated);
                error = Json.integer(terminated, "exitCode") == 0 ? error : reason;
            } else if (Trees.isTrue(status, "ready") && Json.at(status, "state", "running") != null) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed")) {
            boolean up = running && Trees.isCondition(pod, "Ready", "True");
            reason = up ? "Running" : !error.isEmpty() ? error : running ? "NotReady" : reason;
        }
    }

    private static String ended(Object terminated) {
        String given = Json.string(terminated, "reason");
        if (!given.isEmpty()) {
            return given;
        }
        long signal = Json.integer(terminated, "signal");
        return signal != 0 ? "Signal:" + signal : "ExitCode:" + Json.integer(terminated, "exitCode");
    }
}
