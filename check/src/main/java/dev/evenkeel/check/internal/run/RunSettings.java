package dev.evenkeel.check.internal.run;

import dev.evenkeel.check.internal.script.CheckScript;
import java.time.Duration;
import java.util.List;

/**
 * The settings of all runs.
 *
 * @param command the words of the command
 * @param replicas the number of processes
 * @param calmSilence the silence that ends each rest of a run without faults
 * @param startLimit the longest time from the start of a process to its first request
 * @param patience the silence after which a state that differs is final: the longest delay of a retry
 * @param restLimit the longest time to settle
 */
public record RunSettings(
        List<String> command,
        PreparedCluster cluster,
        CheckScript script,
        int replicas,
        Duration calmSilence,
        Duration startLimit,
        Duration patience,
        Duration restLimit) {
    /** Copies the list. */
    public RunSettings {
        command = List.copyOf(command);
    }

    /** Returns these settings with another script. */
    public RunSettings script(CheckScript value) {
        return new RunSettings(command, cluster, value, replicas, calmSilence, startLimit, patience, restLimit);
    }

    /** Returns these settings with another cluster. */
    public RunSettings cluster(PreparedCluster value) {
        return new RunSettings(command, value, script, replicas, calmSilence, startLimit, patience, restLimit);
    }
}
