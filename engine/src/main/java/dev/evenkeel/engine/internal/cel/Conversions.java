package dev.evenkeel.engine.internal.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Conversions between types, sizes, parts of times, and optional values. */
final class Conversions {
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    private Conversions() {}

    static void addTo(Library library) {
        library.add("int", a -> toInt(a[0]));
        library.add("uint", a -> toUnsigned(a[0]));
        library.add("double", a -> toDouble(a[0]));
        library.add("string", a -> {
            String text = Texts.scalar(a[0]);
            return text != null
                    ? text
                    : a[0] instanceof Octets
                            ? new Problem("invalid UTF-8 in bytes, cannot convert to string")
                            : Problem.NO_SUCH_OVERLOAD;
        });
        library.add("bytes", a -> switch (a[0]) {
            case Octets octets -> octets;
            case String text -> new Octets(text.getBytes(StandardCharsets.UTF_8));
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        library.add("bool", a -> switch (a[0]) {
            case Boolean bool -> bool;
            case String text -> toBool(text);
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        library.add("duration", a -> switch (a[0]) {
            case Duration duration -> duration;
            case String text ->
                Problem.unless(
                        Timestamps.goDuration(text), () -> Problem.conversion("string", "google.protobuf.Duration"));
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        library.add("timestamp", a -> switch (a[0]) {
            case Instant time -> time;
            case Long seconds ->
                seconds < -62135596800L || seconds > 253402300799L
                        ? new Problem("timestamp overflow")
                        : Instant.ofEpochSecond(seconds);
            case String text ->
                Problem.unless(
                        Timestamps.timestamp(text), () -> Problem.conversion("string", "google.protobuf.Timestamp"));
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        library.add("dyn", a -> a[0]);
        library.add("type", a -> TypeName.of(a[0]));
        library.add("size", a -> switch (a[0]) {
            case String text -> (long) Texts.size(text);
            case Octets octets -> (long) octets.bytes().length;
            case ListValue list -> (long) list.size();
            case MapValue map -> (long) map.size();
            default -> Problem.NO_SUCH_OVERLOAD;
        });
        for (String part : Timestamps.PARTS) {
            library.add(
                    part, a -> Timestamps.part(part, a[0], a.length > 1 && a[1] instanceof String zone ? zone : ""));
        }
        library.add("optional.none", a -> Optional.empty());
        library.add("optional.of", a -> Optional.of(a[0]));
        library.add("optional.ofNonZeroValue", a -> isZero(a[0]) ? Optional.empty() : Optional.of(a[0]));
        library.add("optional.unwrap", ListValue.class, Conversions::unwrap);
        library.add("hasValue", Optional.class, value -> value.isPresent());
        library.add(
                "value",
                a -> a[0] instanceof Optional<?> o
                        ? Problem.unless(o, () -> new Problem("optional.none() dereference"))
                        : Problem.NO_SUCH_OVERLOAD);
    }

    private static Object unwrap(ListValue list) {
        return ListValue.of(list.elements().stream()
                .filter(e -> e instanceof Optional<?> o && o.isPresent())
                .<Object>map(e -> ((Optional<?>) e).orElseThrow())
                .toList());
    }

    private static boolean isZero(Object value) {
        return switch (value) {
            case Nothing unused -> true;
            case Boolean bool -> !bool;
            case Long number -> number == 0;
            case Unsigned number -> number.bits() == 0;
            case Double number -> number == 0;
            case String text -> text.isEmpty();
            case Octets octets -> octets.bytes().length == 0;
            case ListValue list -> list.size() == 0;
            case MapValue map -> map.size() == 0;
            case Duration duration -> duration.isZero();
            case Optional<?> optional -> optional.isEmpty();
            default -> false;
        };
    }

    private static Object toInt(Object value) {
        return switch (value) {
            case Long number -> number;
            case Unsigned number -> number.bits() < 0 ? new Problem("integer overflow") : (Object) number.bits();
            case Double number ->
                Double.isNaN(number) || number <= -0x1p63 || number >= 0x1p63
                        ? new Problem("integer overflow")
                        : (Object) number.longValue();
            case Instant time -> time.getEpochSecond();
            case Duration duration -> duration.toNanos();
            case String text -> parsed(text, "int", Long::parseLong);
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static Object toUnsigned(Object value) {
        return switch (value) {
            case Unsigned number -> number;
            case Long number -> number < 0 ? new Problem("unsigned integer overflow") : new Unsigned(number);
            case Double number -> {
                if (Double.isNaN(number) || number < 0 || number >= 0x1p64) {
                    yield new Problem("unsigned integer overflow");
                }
                yield new Unsigned(new BigDecimal(number).toBigInteger().longValue());
            }
            case String text ->
                parsed(text, "uint", digits -> {
                    BigInteger number = new BigInteger(digits);
                    return number.signum() < 0 || number.compareTo(Unsigned.MAX) > 0
                            ? Problem.conversion("string", "uint")
                            : new Unsigned(number.longValue());
                });
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static Object toDouble(Object value) {
        return switch (value) {
            case Double number -> number;
            case Long number -> number.doubleValue();
            case Unsigned number -> number.approximate();
            // Java would also accept a trailing d or f
            case String text
            when text.matches("[^dDfF]*|[+-]?(Inf|inf|Infinity|infinity)") ->
                parsed(text.replaceFirst("(?i)inf(inity)?$", "Infinity"), "double", Double::parseDouble);
            case String unused -> Problem.conversion("string", "double");
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    /** Parses a number as Go does: without white space, and of ASCII digits only; one without sign has none. */
    private static Object parsed(String text, String type, Function<String, Object> parser) {
        boolean signed = text.startsWith("+") || text.startsWith("-");
        if (!PRINTABLE.matcher(text).matches() || (signed && type.equals("uint"))) {
            return Problem.conversion("string", type);
        }
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            return Problem.conversion("string", type);
        }
    }

    private static Object toBool(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> Problem.conversion("string", "bool");
        };
    }
}
