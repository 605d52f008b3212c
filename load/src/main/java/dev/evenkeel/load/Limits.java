package dev.evenkeel.load;

import java.time.Duration;

/**
 * The limits of verdicts.
 *
 * @param leakPerCycle the growth of the retained memory in each cycle, as a share of it; default 0.001
 * @param visible the time in which 99 % of changes must have their effect; default 5 s
 * @param restingWrites the writes of the controller while nothing changes; default 0
 * @param restingCores the processors it uses while nothing changes; default 0.02
 * @param restartLists the lists of each kind when it starts again; default 2
 * @param restartWrites the writes when it starts again although nothing has changed; default 0
 * @param exponent the exponent of the number of objects in the cluster with which the cost of an operation may grow; default
 *     0.2
 * @param resting the time that it is observed while nothing changes; default 5 s
 * @param start the time in which it must converge after its start; default 2 minutes
 */
public record Limits(
        double leakPerCycle,
        Duration visible,
        long restingWrites,
        double restingCores,
        long restartLists,
        long restartWrites,
        double exponent,
        Duration resting,
        Duration start) {
    /** The default limits. */
    public static final Limits DEFAULT =
            new Limits(0.001, Duration.ofSeconds(5), 0, 0.02, 2, 0, 0.2, Duration.ofSeconds(5), Duration.ofMinutes(2));
}
