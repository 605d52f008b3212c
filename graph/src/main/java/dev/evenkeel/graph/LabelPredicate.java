package dev.evenkeel.graph;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A condition on labels, for {@link Graph#match}. Selectors are immutable and have {@code equals} and {@code hashCode};
 * their methods must not throw.
 */
public interface LabelPredicate {
    /** Returns true if an object with these labels matches; the argument returns null for a label that is absent. */
    boolean matches(UnaryOperator<@Nullable String> labels);

    /** Returns the names of all labels that the result may depend on. */
    Set<String> names();

    /**
     * Returns necessary conditions, which make matching fast: labels that each matching object has, with the values of
     * which it has one; an empty set stands for any value.
     */
    default Map<String, Set<String>> required() {
        return Map.of();
    }
}
