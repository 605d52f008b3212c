package dev.evenkeel.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether memory grows: samples of what is left after a collection, and the line that fits them best.
 *
 * <p>A leak is a line; what comes and goes is noise around it, of which the error of the slope is told. Not for many
 * threads.
 */
final class HeapTrend {
    /** A line through samples: percent of the mean that are added each minute, and the standard error of that. */
    record Slope(double percentPerMinute, double error, int samples) {}

    private record Sample(double minutes, double bytes) {}

    private final List<Sample> samples = new ArrayList<>();

    /** So much was left at this time. */
    void add(double minutes, long bytes) {
        samples.add(new Sample(minutes, bytes));
    }

    /** The slope of the samples from a time on; of fewer than three there is none that says anything: NaN. */
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
