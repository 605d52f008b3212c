package dev.evenkeel.load.internal.drive;

import dev.evenkeel.load.result.Latencies;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.HistogramIterationValue;

/** Records latencies with three decimal digits, of up to a day; of longer ones, that. Thread-safe. */
final class Recorder {
    private static final long LONGEST = TimeUnit.DAYS.toMicros(1);

    private final ConcurrentHistogram histogram = new ConcurrentHistogram(LONGEST, 3);

    Recorder() {
        histogram.setAutoResize(true);
    }

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos / 1_000, 0, LONGEST));
    }

    /** Returns a percentile of what was recorded; empty if nothing was. */
    Optional<Duration> percentile(double percentile) {
        return histogram.getTotalCount() == 0
                ? Optional.empty()
                : Optional.of(Duration.of(histogram.getValueAtPercentile(percentile), ChronoUnit.MICROS));
    }

    Latencies latencies() {
        List<Latencies.Bucket> buckets = new ArrayList<>();
        for (HistogramIterationValue value : histogram.copy().recordedValues()) {
            buckets.add(new Latencies.Bucket(value.getValueIteratedTo(), value.getCountAtValueIteratedTo()));
        }
        return new Latencies(buckets);
    }
}
