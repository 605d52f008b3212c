package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.Optional;

/** Amounts such as {@code 1.5Gi}. */
final class Quantities {
    private Quantities() {}

    /**
     * An amount. It has an order, but not one that operators see.
     *
     * @param value what it amounts to
     */
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

    /** Reads an amount, or says what is wrong. */
    static Object read(String text) {
        try {
            return new Amount(Quantity.parse(text).value());
        } catch (IllegalArgumentException e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
    }

    /** The amount as a whole number of 64 bits, if it is one. */
    static Optional<Long> whole(Amount amount) {
        try {
            return Optional.of(amount.value.longValueExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** An amount from an amount or a whole number. */
    static Optional<BigDecimal> value(Object value) {
        return switch (value) {
            case Amount amount -> Optional.of(amount.value);
            case Long number -> Optional.of(BigDecimal.valueOf(number));
            default -> Optional.empty();
        };
    }
}
