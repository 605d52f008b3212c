package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;

/** Functions on quantities, addresses and prefixes, and comparisons of other values with an order of their own. */
final class Kubernetes {
    private Kubernetes() {}

    static void addTo(Library library) {
        library.add("quantity", String.class, Kubernetes::quantity);
        library.add("isQuantity", String.class, text -> Quantity.read(text).isPresent());
        Class<Quantity> amount = Quantity.class;
        library.add("sign", amount, a -> (long) a.value().signum());
        library.add("asApproximateFloat", amount, a -> a.value().doubleValue());
        library.add("isInteger", amount, a -> whole(a).isPresent());
        library.add(
                "asInteger",
                amount,
                a -> Problem.unless(whole(a), () -> new Problem("cannot convert value to integer")));
        library.add("add", a -> sum(a, BigDecimal::add));
        library.add("sub", a -> sum(a, BigDecimal::subtract));
        library.add("compareTo", a -> ordered(a, order -> (long) order));
        library.add("isGreaterThan", a -> ordered(a, order -> order > 0));
        library.add("isLessThan", a -> ordered(a, order -> order < 0));

        library.add("ip", a -> switch (a[0]) {
            case String text -> Networks.address(text);
            case Networks.Prefix prefix -> prefix.address();
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        library.add("isIP", String.class, text -> Networks.address(text) instanceof Networks.Address);
        library.add(
                "ip.isCanonical",
                String.class,
                text -> Networks.address(text) instanceof Networks.Address ip
                        ? ip.text().equals(text)
                        : Networks.address(text));
        Class<Networks.Address> address = Networks.Address.class;
        library.add("family", address, ip -> ip.isV4() ? 4L : 6L);
        library.add("isUnspecified", address, ip -> ip.inet().isAnyLocalAddress());
        library.add("isLoopback", address, ip -> ip.inet().isLoopbackAddress());
        library.add("isLinkLocalMulticast", address, ip -> ip.inet().isMCLinkLocal());
        library.add("isLinkLocalUnicast", address, ip -> ip.inet().isLinkLocalAddress());
        library.add("isGlobalUnicast", address, Networks.Address::globalUnicast);

        library.add("cidr", String.class, Networks::prefix);
        library.add("isCIDR", String.class, text -> Networks.prefix(text) instanceof Networks.Prefix);
        library.add("prefixLength", Networks.Prefix.class, prefix -> (long) prefix.bits());
        library.add("masked", Networks.Prefix.class, Networks.Prefix::masked);
        library.add("containsIP", a -> contains(a[0], a[1] instanceof String text ? Networks.address(text) : a[1]));
        library.add("containsCIDR", a -> contains(a[0], a[1] instanceof String text ? Networks.prefix(text) : a[1]));
    }

    private static Object contains(Object prefix, Object inner) {
        return switch (inner) {
            case Networks.Address ip when prefix instanceof Networks.Prefix outer -> outer.contains(ip);
            case Networks.Prefix cidr when prefix instanceof Networks.Prefix outer -> outer.contains(cidr);
            default -> Problem.NO_SUCH_OVERLOAD; // also for a text that cannot be parsed
        };
    }

    private static Object sum(Object[] a, BinaryOperator<BigDecimal> operator) {
        BigDecimal other = switch (a[1]) {
            case Quantity quantity -> quantity.value();
            case Long number -> BigDecimal.valueOf(number);
            default -> null;
        };
        return a[0] instanceof Quantity quantity && other != null
                ? Quantity.of(operator.apply(quantity.value(), other))
                : Problem.NO_SUCH_OVERLOAD;
    }

    private static Object quantity(String text) {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the quantity as a whole number of 64 bits, if it is one. */
    private static Optional<Long> whole(Quantity quantity) {
        try {
            return Optional.of(quantity.value().longValueExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Object ordered(Object[] a, IntFunction<Object> result) {
        if (a[0] instanceof Quantity left && a[1] instanceof Quantity right) {
            return result.apply(left.compareTo(right));
        }
        return a[0] instanceof Semantics.Version left && a[1] instanceof Semantics.Version right
                ? result.apply(left.compareTo(right))
                : Problem.NO_SUCH_OVERLOAD;
    }
}
