package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.internal.ObjectRef;
import java.time.Duration;
import java.util.Optional;

/**
 * A variant of the run without faults.
 *
 * @param later time by which it begins later
 * @param seed of the randomness of server and processes
 * @param absent a given object that does not exist
 * @param first the object that is deleted first
 */
record Variant(Duration later, long seed, Optional<ObjectRef> absent, Optional<ObjectRef> first) {
    static final Variant PLAIN = new Variant(Duration.ZERO, 1, Optional.empty(), Optional.empty());

    /** Another day, hour, minute and second, with other random numbers. */
    static final Variant ANOTHER_DAY =
            new Variant(Duration.parse("P41DT5H17M23S"), 7_919, Optional.empty(), Optional.empty());

    static Variant without(ObjectRef object) {
        return new Variant(Duration.ZERO, 1, Optional.of(object), Optional.empty());
    }

    static Variant deletingFirst(ObjectRef object) {
        return new Variant(Duration.ZERO, 1, Optional.empty(), Optional.of(object));
    }
}
