package dev.evenkeel.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The values of a label, and the frequency of each. */
public final class Distribution {
    private final List<String> values;
    private final double[] cumulative;

    private Distribution(List<String> values, double[] weights) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values must not be empty");
        }
        this.values = List.copyOf(values);
        this.cumulative = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (!(weights[i] > 0)) {
                throw new IllegalArgumentException(
                        "the weight of " + values.get(i) + " must be positive: " + weights[i]);
            }
            sum += weights[i];
            cumulative[i] = sum;
        }
    }

    /** Returns a distribution whose values are equally frequent. */
    public static Distribution uniform(List<String> values) {
        double[] weights = new double[values.size()];
        java.util.Arrays.fill(weights, 1);
        return new Distribution(values, weights);
    }

    /** Returns a distribution by weights, which are relative to their sum. */
    public static Distribution weighted(Map<String, Double> weights) {
        List<String> values = weights.keySet().stream().sorted().toList();
        return new Distribution(
                values, values.stream().mapToDouble(weights::get).toArray());
    }

    /**
     * Returns a distribution by Zipf's law: the value of rank n is as frequent as the first divided by n to the power of the
     * skew. Values are the prefix and the rank.
     */
    public static Distribution skewed(String prefix, int values, double skew) {
        List<String> names = new ArrayList<>();
        double[] weights = new double[values];
        for (int i = 0; i < values; i++) {
            names.add(prefix + (i + 1));
            weights[i] = Math.pow(i + 1.0, -skew);
        }
        return new Distribution(names, weights);
    }

    /** Returns the values, sorted if they have weights. */
    public List<String> values() {
        return values;
    }

    /** Returns a random value. */
    public String draw(RandomGenerator random) {
        double point = random.nextDouble() * cumulative[cumulative.length - 1];
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] > point) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return values.get(low);
    }
}
