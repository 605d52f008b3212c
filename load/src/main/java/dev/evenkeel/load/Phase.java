package dev.evenkeel.load;

import java.time.Duration;

/**
 * A part of a load: a pattern, at a rate, until it stops. It ends when the controller has converged.
 *
 * @param name the name in reports
 * @param pattern the changes
 * @param rate when they are due
 * @param stop when it ends
 * @param bound the time after the last acknowledgement in which the controller must converge
 * @param cost whether the cost of its operations is measured in worlds of all sizes of the plan
 * @param occupancy whether the memory that the controller retains is measured after each cycle
 */
public record Phase(
        String name, Pattern pattern, Rate rate, Stop stop, Duration bound, boolean cost, boolean occupancy) {
    /** The default bound. */
    public static final Duration BOUND = Duration.ofSeconds(30);

    public Phase {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a phase must not be empty");
        }
        if (!bound.isPositive()) {
            throw new IllegalArgumentException("the bound of phase " + name + " must be positive: " + bound);
        }
    }

    /** Returns one cycle of a pattern, as fast as it is acknowledged. */
    public static Phase of(String name, Pattern pattern) {
        return new Phase(name, pattern, new Rate.Acknowledged(), Stop.ONE_CYCLE, BOUND, false, false);
    }

    /** Returns the phase at another rate. */
    public Phase rate(Rate newRate) {
        return new Phase(name, pattern, newRate, stop, bound, cost, occupancy);
    }

    /** Returns the phase with another stop. */
    public Phase stop(Stop newStop) {
        return new Phase(name, pattern, rate, newStop, bound, cost, occupancy);
    }

    /** Returns the phase with another bound of convergence. */
    public Phase bound(Duration newBound) {
        return new Phase(name, pattern, rate, stop, newBound, cost, occupancy);
    }

    /** Returns the phase with or without measurements of the cost of its operations in worlds of several sizes. */
    public Phase cost(boolean measured) {
        return new Phase(name, pattern, rate, stop, bound, measured, occupancy);
    }

    /** Returns the phase with or without measurements of the retained memory after each cycle. */
    public Phase occupancy(boolean measured) {
        return new Phase(name, pattern, rate, stop, bound, cost, measured);
    }
}
