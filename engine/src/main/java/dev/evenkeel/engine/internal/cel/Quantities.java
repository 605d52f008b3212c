package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.Optional;

/** Quantities such as {@code 1.5Gi}. */
final class Quantities {
    private Quantities() {}

    /** A quantity. It has an order, but not for operators. */
    record Amount(BigDecimal value) implements Comparable<Amount> {
        @Override
        public int compareTo(Amount other) {
            return value.compareTo(other.value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Amount amount && value.compareTo(amount.value) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }
    }

    /** Parses a quantity, or returns a {@link Problem}. */
    static Object read(String text) {
        try {
            return new Amount(Quantity.parse(text).value());
        } catch (IllegalArgumentException e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the quantity as a whole number of 64 bits, if it is one. */
    static Optional<Long> whole(Amount amount) {
        try {
            return Optional.of(amount.value.longValueExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Returns the value of a quantity or a whole number. */
    static Optional<BigDecimal> value(Object value) {
        return switch (value) {
            case Amount amount -> Optional.of(amount.value);
            case Long number -> Optional.of(BigDecimal.valueOf(number));
            default -> Optional.empty();
        };
    }
}
