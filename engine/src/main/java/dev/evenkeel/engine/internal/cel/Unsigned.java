package dev.evenkeel.engine.internal.cel;

import java.math.BigInteger;

/** An unsigned number of 64 bits. */
record Unsigned(long bits) implements Comparable<Unsigned> {
    static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    BigInteger value() {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    double approximate() {
        return value().doubleValue();
    }

    @Override
    public int compareTo(Unsigned other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(bits);
    }
}
