package dev.evenkeel.load.internal.measure;

import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Series.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of one series, bounded: when it is full, pairs are merged, and from then on twice as many values make one
 * sample. A sample is the mean of its values, at the time of the last one, as those of rates are of the time before.
 */
final class SampleBuffer {
    private final String name;
    private final String unit;
    private final int capacity;
    private final List<Sample> samples = new ArrayList<>();
    private int valuesOfOne = 1;
    private int pending;
    private double pendingSum;
    private Duration pendingAt = Duration.ZERO;

    /**
     * Creates a buffer.
     *
     * @param capacity the maximum number of samples, an even one
     */
    SampleBuffer(String name, String unit, int capacity) {
        if (capacity < 2 || capacity % 2 != 0) {
            throw new IllegalArgumentException("capacity must be even and positive: " + capacity);
        }
        this.name = name;
        this.unit = unit;
        this.capacity = capacity;
    }

    void add(Duration at, double value) {
        pending++;
        pendingSum += value;
        pendingAt = at;
        if (pending < valuesOfOne) {
            return;
        }
        samples.add(new Sample(pendingAt, pendingSum / pending));
        pending = 0;
        pendingSum = 0;
        if (samples.size() == capacity) {
            halve();
        }
    }

    private void halve() {
        for (int i = 0; i < capacity / 2; i++) {
            Sample second = samples.get(2 * i + 1);
            samples.set(i, new Sample(second.at(), (samples.get(2 * i).value() + second.value()) / 2));
        }
        samples.subList(capacity / 2, capacity).clear();
        valuesOfOne *= 2;
    }

    /** Returns the samples so far; the last one may be the mean of fewer values than the others. */
    Series series() {
        List<Sample> all = new ArrayList<>(samples);
        if (pending > 0) {
            all.add(new Sample(pendingAt, pendingSum / pending));
        }
        return new Series(name, unit, all);
    }
}
