package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** Patterns that change no object. */
public final class Disturbances {
    private Disturbances() {}

    /** {@link dev.evenkeel.load.Patterns#cutWatches}. */
    public static Pattern cutWatches() {
        return (world, random) -> one(new Operation.CutWatches());
    }

    /** {@link dev.evenkeel.load.Patterns#outage}. */
    public static Pattern outage(Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException("duration must be positive: " + duration);
        }
        return (world, random) -> one(new Operation.Outage(duration));
    }

    private static Iterator<Operation> one(Operation operation) {
        return List.of(operation).iterator();
    }
}
