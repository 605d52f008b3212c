package dev.evenkeel.load.result;

import java.time.Duration;
import java.util.List;

/**
 * A figure over time.
 *
 * @param name the name: words separated by dots, such as {@code process.resident}
 * @param unit the unit of the values, such as {@code bytes} or {@code cores}; empty for a number of things
 * @param samples the values, in order of time
 */
public record Series(String name, String unit, List<Sample> samples) {
    public Series {
        samples = List.copyOf(samples);
    }

    /**
     * A value.
     *
     * @param at the time since the beginning of the run
     * @param value the value
     */
    public record Sample(Duration at, double value) {}

    /** Returns the values in order of time. */
    public double[] values() {
        return samples.stream().mapToDouble(Sample::value).toArray();
    }
}
