package dev.evenkeel.engine.internal.cel;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** Functions on quantities, addresses and prefixes, and comparisons of other values with an order of their own. */
final class Kubernetes {
    static final Map<String, Call> CALLS = calls();

    private Kubernetes() {}

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("quantity", Call.of(String.class, Quantities::read));
        calls.put("isQuantity", Call.of(String.class, text -> !(Quantities.read(text) instanceof Problem)));
        amount(calls, "sign", amount -> (long) amount.value().signum());
        amount(calls, "asApproximateFloat", amount -> amount.value().doubleValue());
        amount(calls, "isInteger", amount -> Quantities.whole(amount).isPresent());
        amount(
                calls,
                "asInteger",
                amount -> Quantities.whole(amount)
                        .<Object>map(n -> n)
                        .orElseGet(() -> new Problem("cannot convert value to integer")));
        calls.put("add", a -> sum(a, java.math.BigDecimal::add));
        calls.put("sub", a -> sum(a, java.math.BigDecimal::subtract));
        calls.put(
                "compareTo",
                a -> ordered(a) instanceof Integer order ? (Object) (long) order : Problem.NO_SUCH_OVERLOAD);
        calls.put("isGreaterThan", a -> ordered(a, order -> order > 0));
        calls.put("isLessThan", a -> ordered(a, order -> order < 0));

        calls.put(
                "ip",
                Call.of(String.class, Kubernetes::ip).or(Call.of(Networks.Prefix.class, Networks.Prefix::address)));
        calls.put("isIP", Call.of(String.class, text -> Networks.address(text).isPresent()));
        calls.put(
                "ip.isCanonical",
                Call.of(
                        String.class,
                        text -> ip(text) instanceof Networks.Address ip
                                ? ip.text().equals(text)
                                : ip(text)));
        address(calls, "family", ip -> ip.isV4() ? 4L : 6L);
        address(calls, "isUnspecified", Networks.Address::unspecified);
        address(calls, "isLoopback", Networks.Address::loopback);
        address(calls, "isLinkLocalMulticast", Networks.Address::linkLocalMulticast);
        address(calls, "isLinkLocalUnicast", Networks.Address::linkLocalUnicast);
        address(calls, "isGlobalUnicast", Networks.Address::globalUnicast);

        calls.put("cidr", Call.of(String.class, Kubernetes::cidr));
        calls.put("isCIDR", Call.of(String.class, text -> Networks.prefix(text).isPresent()));
        calls.put("prefixLength", Call.of(Networks.Prefix.class, prefix -> (long) prefix.bits()));
        calls.put("masked", Call.of(Networks.Prefix.class, Networks.Prefix::masked));
        calls.put("containsIP", a -> switch (a[1] instanceof String text ? ip(text) : a[1]) {
            case Networks.Address ip when a[0] instanceof Networks.Prefix prefix -> prefix.contains(ip);
            case Problem problem -> problem;
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        calls.put("containsCIDR", a -> switch (a[1] instanceof String text ? cidr(text) : a[1]) {
            case Networks.Prefix inner when a[0] instanceof Networks.Prefix prefix -> prefix.contains(inner);
            case Problem problem -> problem;
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        return calls;
    }

    private static void amount(Map<String, Call> calls, String name, Function<Quantities.Amount, Object> function) {
        calls.put(name, Call.of(Quantities.Amount.class, function));
    }

    private static void address(Map<String, Call> calls, String name, Function<Networks.Address, Object> function) {
        calls.put(name, Call.of(Networks.Address.class, function));
    }

    private static Object sum(
            Object[] a, BiFunction<java.math.BigDecimal, java.math.BigDecimal, java.math.BigDecimal> operator) {
        return a[0] instanceof Quantities.Amount amount
                ? Quantities.value(a[1])
                        .<Object>map(other -> new Quantities.Amount(operator.apply(amount.value(), other)))
                        .orElse(Problem.NO_SUCH_OVERLOAD)
                : Problem.NO_SUCH_OVERLOAD;
    }

    private static Object ordered(Object[] a) {
        if (a[0] instanceof Quantities.Amount left && a[1] instanceof Quantities.Amount right) {
            return left.compareTo(right);
        }
        return a[0] instanceof Semantics.Version left && a[1] instanceof Semantics.Version right
                ? left.compareTo(right)
                : Problem.NO_SUCH_OVERLOAD;
    }

    private static Object ordered(Object[] a, IntPredicate holds) {
        return ordered(a) instanceof Integer order ? (Object) holds.test(order) : Problem.NO_SUCH_OVERLOAD;
    }

    private static Object ip(String text) {
        return Networks.address(text)
                .<Object>map(ip -> ip)
                .orElseGet(() -> new Problem("IP Address " + Formatting.quote(text)
                        + " parse error during conversion from string: unable to parse IP"));
    }

    private static Object cidr(String text) {
        return Networks.prefix(text)
                .<Object>map(prefix -> prefix)
                .orElseGet(() ->
                        new Problem("network address parse error during conversion from string: netip.ParsePrefix("
                                + Formatting.quote(text) + "): no such prefix"));
    }
}
