package dev.evenkeel.policy.internal.calculation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object of the cluster as the calculation sees it. Updates that do not change it cost nothing more.
 *
 * @param value the object in the model; null if it has no effect
 * @param problems what could not be converted as written
 */
record Converted<V>(@Nullable V value, List<String> problems) {}
