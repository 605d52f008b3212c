package dev.evenkeel.load;

import java.util.Iterator;
import java.util.random.RandomGenerator;

/**
 * Changes of a world, in cycles that begin and end with the same numbers of objects.
 *
 * <p>A pattern has no state: the results of earlier cycles are in the world.
 */
@FunctionalInterface
public interface Pattern {
    /**
     * Returns the operations of the next cycle. Each is taken only when it is due, and is applied to the world before the
     * next one is taken.
     *
     * @param world the world as it is after all operations before
     * @param random the source of all random choices
     */
    Iterator<Operation> cycle(WorldState world, RandomGenerator random);
}
