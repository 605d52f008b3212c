package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/** Compares values for equality and order. Numbers are compared by value, whatever their types. */
final class Equality {
    private Equality() {}

    /** Compares two values: true, false or a {@link Problem}. Values of different types are not equal. */
    static Object of(Object left, Object right) {
        if (left instanceof Problem) {
            return left;
        }
        if (right instanceof Problem) {
            return right;
        }
        if (left instanceof ListValue a) {
            return right instanceof ListValue b ? a.equalTo(b) : false;
        }
        if (left instanceof MapValue a) {
            return right instanceof MapValue b ? a.equalTo(b) : false;
        }
        if (left instanceof Optional<?> a) {
            if (!(right instanceof Optional<?> b) || a.isPresent() != b.isPresent()) {
                return false;
            }
            return a.isEmpty() ? true : of(a.get(), b.orElseThrow());
        }
        if (isNumber(left) && isNumber(right)) {
            OptionalInt order = numbers(left, right);
            return order.isPresent() && order.getAsInt() == 0;
        }
        return left.equals(right);
    }

    static boolean same(Object left, Object right) {
        return Boolean.TRUE.equals(of(left, right));
    }

    /** Returns the form in which a value is a key of maps: numbers that are equal are one key. */
    static Object key(Object value) {
        return switch (value) {
            case Unsigned number when number.bits() >= 0 -> number.bits();
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 0x1p63 -> (Object) number.longValue();
            default -> value;
        };
    }

    private static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof Unsigned;
    }

    /** Returns the order of two values; empty when they have none. */
    @SuppressWarnings("unchecked")
    static OptionalInt order(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return numbers(left, right);
        }
        if (left instanceof String a && right instanceof String b) {
            return OptionalInt.of(dev.evenkeel.engine.internal.json.Json.KEY_ORDER.compare(a, b));
        }
        if (left.getClass() == right.getClass()
                && left instanceof Comparable<?>
                && !(left instanceof Quantity)) { // whose order is not for operators
            return OptionalInt.of(Integer.signum(((Comparable<Object>) left).compareTo(right)));
        }
        return OptionalInt.empty();
    }

    private static OptionalInt numbers(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return OptionalInt.of(Long.compare(a, b));
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a.isNaN() || b.isNaN() ? OptionalInt.empty() : OptionalInt.of(a < b ? -1 : a > b ? 1 : 0);
        }
        if (left instanceof Double a && !Double.isFinite(a)) {
            return a.isNaN() ? OptionalInt.empty() : OptionalInt.of(a > 0 ? 1 : -1);
        }
        if (right instanceof Double b && !Double.isFinite(b)) {
            return b.isNaN() ? OptionalInt.empty() : OptionalInt.of(b > 0 ? -1 : 1);
        }
        return OptionalInt.of(exact(left).compareTo(exact(right)));
    }

    private static BigDecimal exact(Object number) {
        return switch (number) {
            case Double value -> new BigDecimal(value);
            case Unsigned value -> new BigDecimal(value.value());
            default -> new BigDecimal(BigInteger.valueOf((Long) number));
        };
    }
}
