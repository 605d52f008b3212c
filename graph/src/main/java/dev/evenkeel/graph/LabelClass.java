package dev.evenkeel.graph;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows that no selector distinguishes, named by their labels, own and inherited, among the mentioned ones. */
final class LabelClass {
    final Map<String, String> labels;
    private final int hash;

    LabelClass(Map<String, String> labels) {
        this.labels = labels;
        this.hash = labels.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof LabelClass one && hash == one.hash && labels.equals(one.labels));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return labels.toString();
    }
}
