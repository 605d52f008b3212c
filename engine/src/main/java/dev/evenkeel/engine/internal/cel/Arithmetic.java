package dev.evenkeel.engine.internal.cel;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The operators on values: arithmetic that does not wrap, order, equality, membership. */
final class Arithmetic {
    private static final Problem OVERFLOW = new Problem("integer overflow");
    private static final Problem BY_ZERO = new Problem("division by zero");
    private static final Problem MODULUS_BY_ZERO = new Problem("modulus by zero");
    private static final Problem UNSIGNED_OVERFLOW = new Problem("unsigned integer overflow");

    private Arithmetic() {}

    static void addTo(Library library) {
        library.add("_+_", Arithmetic::add);
        library.add("_-_", Arithmetic::subtract);
        library.add("_*_", a -> numbers('*', a));
        library.add("_/_", a -> numbers('/', a));
        library.add("_%_", a -> numbers('%', a));
        library.add("-_", Arithmetic::negate);
        library.add("!_", Boolean.class, b -> !b);
        library.add("_==_", a -> Equality.of(a[0], a[1]));
        library.add("_!=_", a -> Equality.of(a[0], a[1]) instanceof Boolean same ? !same : Equality.of(a[0], a[1]));
        library.add("_<_", a -> compare(a, order -> order < 0));
        library.add("_<=_", a -> compare(a, order -> order <= 0));
        library.add("_>_", a -> compare(a, order -> order > 0));
        library.add("_>=_", a -> compare(a, order -> order >= 0));
        library.add("@in", Arithmetic::in);
        library.add("_[_]", a -> index(a[0], a[1]));
    }

    static Object add(Object[] a) {
        return switch (a[0]) {
            case String left when a[1] instanceof String right -> left + right;
            case Octets left when a[1] instanceof Octets right -> left.plus(right);
            case ListValue left when a[1] instanceof ListValue right -> left.plus(right);
            case Duration unused
            when a[1] instanceof Duration || a[1] instanceof Instant -> Timestamps.plus(a[0], a[1]);
            case Instant unused when a[1] instanceof Duration -> Timestamps.plus(a[0], a[1]);
            default -> numbers('+', a);
        };
    }

    private static Object subtract(Object[] a) {
        boolean times = (a[0] instanceof Duration && a[1] instanceof Duration)
                || (a[0] instanceof Instant && (a[1] instanceof Duration || a[1] instanceof Instant));
        return times ? Timestamps.minus(a[0], a[1]) : numbers('-', a);
    }

    private static Object numbers(char operator, Object[] a) {
        if (a[0] instanceof Long left && a[1] instanceof Long right) {
            return whole(operator, left, right);
        }
        if (a[0] instanceof Double left && a[1] instanceof Double right) {
            return switch (operator) {
                case '+' -> left + right;
                case '-' -> left - right;
                case '*' -> left * right;
                case '/' -> left / right;
                default -> Problem.NO_SUCH_OVERLOAD;
            };
        }
        if (a[0] instanceof Unsigned left && a[1] instanceof Unsigned right) {
            return unsigned(operator, left, right);
        }
        return Problem.NO_SUCH_OVERLOAD;
    }

    private static Object whole(char operator, long left, long right) {
        try {
            return switch (operator) {
                case '+' -> Math.addExact(left, right);
                case '-' -> Math.subtractExact(left, right);
                case '*' -> Math.multiplyExact(left, right);
                case '/' -> right == 0 ? BY_ZERO : (Object) Math.divideExact(left, right);
                default -> right == 0 ? MODULUS_BY_ZERO : (Object) (left % right);
            };
        } catch (ArithmeticException e) {
            return OVERFLOW;
        }
    }

    private static Object unsigned(char operator, Unsigned left, Unsigned right) {
        if (right.bits() == 0 && (operator == '/' || operator == '%')) {
            return operator == '/' ? BY_ZERO : MODULUS_BY_ZERO;
        }
        BigInteger a = left.value();
        BigInteger b = right.value();
        BigInteger result = switch (operator) {
            case '+' -> a.add(b);
            case '-' -> a.subtract(b);
            case '*' -> a.multiply(b);
            case '/' -> a.divide(b);
            default -> a.mod(b);
        };
        return result.signum() < 0 || result.compareTo(Unsigned.MAX) > 0
                ? UNSIGNED_OVERFLOW
                : new Unsigned(result.longValue());
    }

    private static Object negate(Object[] a) {
        return switch (a[0]) {
            case Long number -> number == Long.MIN_VALUE ? OVERFLOW : (Object) (-number);
            case Double number -> -number;
            case Duration duration -> Timestamps.checked(duration.negated());
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static Object compare(Object[] a, IntPredicate holds) {
        if ((a[0] instanceof Double left && left.isNaN()) || (a[1] instanceof Double right && right.isNaN())) {
            return false;
        }
        OptionalInt order = Equality.order(a[0], a[1]);
        return order.isPresent() ? (Object) holds.test(order.getAsInt()) : Problem.NO_SUCH_OVERLOAD;
    }

    private static Object in(Object[] a) {
        if (a[1] instanceof MapValue map) {
            return map.find(a[0]) != null;
        }
        if (!(a[1] instanceof ListValue list)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        Object result = false;
        for (int i = 0; i < list.size(); i++) {
            Object equal = Equality.of(a[0], list.get(i));
            if (Boolean.TRUE.equals(equal)) {
                return true;
            }
            if (equal instanceof Problem) {
                result = equal;
            }
        }
        return result;
    }

    /** Returns the element at an index or under a key; of an optional container an optional element. */
    static Object index(Object container, Object at) {
        return switch (container) {
            case Optional<?> optional -> optionalIndex(optional, at);
            case MapValue map -> map.get(at);
            case ListValue list -> {
                Object key = Equality.key(at);
                if (!(key instanceof Long position)) {
                    yield new Problem(
                            "unsupported index type '" + TypeName.of(at).name() + "' in list");
                }
                yield position < 0 || position >= list.size()
                        ? new Problem("index out of bounds: " + position)
                        : list.get(position.intValue());
            }
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    /** Returns the element as an optional, which is empty when there is none. */
    static Object optionalIndex(Object container, Object at) {
        return switch (container) {
            case Optional<?> optional -> optional.isEmpty() ? Optional.empty() : optionalIndex(optional.get(), at);
            case MapValue map -> optional(map.find(at));
            case ListValue list ->
                Equality.key(at) instanceof Long position && position >= 0 && position < list.size()
                        ? optional(list.get(position.intValue()))
                        : Optional.empty();
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static Object optional(@Nullable Object value) {
        return value instanceof Problem ? value : Optional.ofNullable(value);
    }
}
