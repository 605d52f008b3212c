package dev.evenkeel.load.internal.verdict;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Corrects probabilities by their number (Holm, <i>A simple sequentially rejective multiple test procedure</i>, 1979). */
public final class Holm {
    private Holm() {}

    /** Returns the corrected probability of each test, the least first. */
    public static <K> Map<K, Double> corrected(Map<K, Double> probabilities) {
        List<Map.Entry<K, Double>> ascending = probabilities.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList();
        Map<K, Double> corrected = new LinkedHashMap<>();
        double greatest = 0;
        for (int i = 0; i < ascending.size(); i++) {
            greatest = Math.max(greatest, Math.min(1, ascending.get(i).getValue() * (ascending.size() - i)));
            corrected.put(ascending.get(i).getKey(), greatest);
        }
        return corrected;
    }
}
