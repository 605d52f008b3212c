package dev.evenkeel.load;

import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a run.
 *
 * @param step the name of the step, such as that of a phase
 * @param number the number of the step, from 1 on
 * @param steps the number of steps
 * @param operations the operations of this step so far
 * @param perSecond the recent number of operations per second
 * @param latency the time in which 99 % of the effects of this step were visible; empty if none were yet
 * @param pending the effects that are not visible yet
 * @param resident the memory of the controller, in bytes; 0 if it is not known
 * @param elapsed the time since the beginning of the run
 * @param left the time until the end of this step; empty if it is not known
 */
public record Progress(
        String step,
        int number,
        int steps,
        long operations,
        double perSecond,
        Optional<Duration> latency,
        int pending,
        long resident,
        Duration elapsed,
        Optional<Duration> left) {
    /** Returns the progress of a step of another name. */
    public Progress step(String newStep) {
        return new Progress(newStep, number, steps, operations, perSecond, latency, pending, resident, elapsed, left);
    }
}
