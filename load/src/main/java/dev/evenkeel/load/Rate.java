package dev.evenkeel.load;

import java.time.Duration;
import java.util.OptionalLong;

/** When operations are due. Times of acknowledgement do not change it, so a slow server can't hide how late it is. */
public sealed interface Rate {
    /** A constant rate. */
    record Constant(double perSecond) implements Rate {
        public Constant {
            positive(perSecond);
        }
    }

    /** A rate that changes evenly over a time, and stays at the second one then. */
    record Ramp(double from, double to, Duration over) implements Rate {
        public Ramp {
            positive(from);
            positive(to);
            if (!over.isPositive()) {
                throw new IllegalArgumentException("over must be positive: " + over);
            }
        }

        /** The time at which the integral of the rate reaches a number. */
        private double seconds(long index) {
            double length = over.toNanos() / 1e9;
            double inRamp = (from + to) / 2 * length;
            if (index >= inRamp) {
                return length + (index - inRamp) / to;
            }
            double slope = (to - from) / length;
            return 2 * index / (from + Math.sqrt(from * from + 2 * slope * index));
        }
    }

    /** Operations that are due at the same time, and a pause. */
    record Bursts(int size, Duration every) implements Rate {
        public Bursts {
            positive(size);
            if (!every.isPositive()) {
                throw new IllegalArgumentException("every must be positive: " + every);
            }
        }
    }

    /** As fast as operations are acknowledged; that is the exception: latencies hide how late the server is. */
    record Acknowledged() implements Rate {}

    private static void positive(double perSecond) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("the rate must be positive: " + perSecond);
        }
    }

    /** Returns the nanoseconds from the beginning until an operation is due; empty if that is when others are acknowledged. */
    default OptionalLong due(long index) {
        return switch (this) {
            case Constant(double perSecond) -> OptionalLong.of((long) (index * 1e9 / perSecond));
            case Ramp ramp -> OptionalLong.of((long) (ramp.seconds(index) * 1e9));
            case Bursts(int size, Duration every) -> OptionalLong.of(index / size * every.toNanos());
            case Acknowledged acknowledged -> OptionalLong.empty();
        };
    }
}
