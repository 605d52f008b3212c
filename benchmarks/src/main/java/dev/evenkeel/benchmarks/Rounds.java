package dev.evenkeel.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** The figures of several rounds of a measurement, of which the median is reported with the least and the greatest. */
final class Rounds {
    private double[] sorted = {};

    void add(double figure) {
        sorted = Arrays.copyOf(sorted, sorted.length + 1);
        sorted[sorted.length - 1] = figure;
        Arrays.sort(sorted);
    }

    /** Returns the number in the middle; of an even number of rounds, the greater of two. */
    double median() {
        return sorted[sorted.length / 2];
    }

    double least() {
        return sorted[0];
    }

    double greatest() {
        return sorted[sorted.length - 1];
    }

    /** Returns the least and the greatest figure as text. */
    String spread() {
        return String.format(Locale.ROOT, "%s to %s", Report.number(least()), Report.number(greatest()));
    }
}
