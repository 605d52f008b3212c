package dev.evenkeel.graph;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows with equal own labels among the mentioned ones, and with the same parents: they change classes together. */
final class LabelGroup {
    final Map<String, String> own;
    final List<?> parents;
    private final int hash;

    LabelGroup(Map<String, String> own, List<?> parents) {
        this.own = own;
        this.parents = parents;
        this.hash = 31 * own.hashCode() + parents.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof LabelGroup one
                        && hash == one.hash
                        && own.equals(one.own)
                        && parents.equals(one.parents));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return own + " of " + parents;
    }
}
