package dev.evenkeel.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Detects growing memory from samples of the heap after collections by fitting a line.
 *
 * <p>A leak is a slope; temporary memory is noise around the line, which determines the error of the slope. Not
 * thread-safe.
 */
final class HeapTrend {
    /** The slope of a line through samples: percent of the mean that are added each minute, and its standard error. */
    record Slope(double percentPerMinute, double error, int samples) {}

    private record Sample(double minutes, double bytes) {}

    private final List<Sample> samples = new ArrayList<>();

    /** Adds a sample: the heap in use at a time. */
    void add(double minutes, long bytes) {
        samples.add(new Sample(minutes, bytes));
    }

    /** Returns the slope of the samples from a time on; NaN with fewer than three samples. */
    Slope since(double minutes) {
        List<Sample> used =
                samples.stream().filter(sample -> sample.minutes >= minutes).toList();
        int n = used.size();
        if (n < 3) {
            return new Slope(Double.NaN, Double.NaN, n);
        }
        double x = used.stream().mapToDouble(Sample::minutes).average().orElseThrow();
        double y = used.stream().mapToDouble(Sample::bytes).average().orElseThrow();
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Sample sample : used) {
            xx += (sample.minutes - x) * (sample.minutes - x);
            xy += (sample.minutes - x) * (sample.bytes - y);
            yy += (sample.bytes - y) * (sample.bytes - y);
        }
        double slope = xy / xx;
        double error = Math.sqrt(Math.max(0, yy - slope * xy) / (n - 2) / xx);
        return new Slope(slope / y * 100, error / y * 100, n);
    }
}
