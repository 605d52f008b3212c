package dev.evenkeel.engine.internal.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of scalars. The rules are those of YAML 1.1 as implemented by goyaml.v2, which Kubernetes' clients and
 * server use: {@code yes}, {@code on} and {@code y} are booleans, {@code 010} is 8, {@code 1_000} is 1000; times and
 * numbers of base 60 are text.
 */
final class YamlScalars {
    private static final String STANDARD = "tag:yaml.org,2002:";
    private static final Set<String> NULLS = Set.of("~", "null", "Null", "NULL");
    private static final Map<String, Object> WORDS = words();
    // the groups are possessive: no backtracking, whatever the text
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?+(?:\\.[0-9]++|[0-9]++(?:\\.[0-9]*+)?+)(?:[eE][-+]?+[0-9]++)?+");
    private static final Pattern DOT_FLOAT = Pattern.compile("\\.[0-9]++(?:[eE][-+]?+[0-9]++)?+");
    private static final Pattern BASE_60 = Pattern.compile("[-+]?+[0-9][0-9_]*+(?::[0-5]?[0-9])++(?:\\.[0-9_]*+)?+");
    private static final Pattern DATE = Pattern.compile(
            "[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]{1,40}+)?+"
                    + "(?:Z|[-+][0-9]{2}:[0-9]{2})?+)?+");

    private YamlScalars() {}

    private static void put(Map<String, Object> words, Object value, String... forms) {
        for (String form : forms) {
            words.put(form, value);
        }
    }

    private static Map<String, Object> words() {
        Map<String, Object> words = new HashMap<>();
        put(words, true, "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
        put(words, false, "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
        put(words, Double.NaN, ".nan", ".NaN", ".NAN");
        put(words, Double.POSITIVE_INFINITY, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF");
        put(words, Double.NEGATIVE_INFINITY, "-.inf", "-.Inf", "-.INF");
        return words;
    }

    /**
     * Returns the value of a plain scalar without tag: null, Boolean, Long, Double, BigInteger (for integers beyond 64
     * bits) or String.
     */
    static @Nullable Object resolve(String text, int maxNumberLength) {
        if (text.isEmpty()) {
            return null;
        }
        char first = text.charAt(0);
        boolean number = (first >= '0' && first <= '9') || first == '+' || first == '-';
        if (!number && first != '.' && "yYnNtTfFoO~".indexOf(first) < 0) {
            return text;
        }
        if (NULLS.contains(text)) {
            return null;
        }
        Object word = WORDS.get(text);
        if (word != null) {
            return word;
        }
        if (first == '.') {
            return DOT_FLOAT.matcher(text).matches() ? finite(checked(text, maxNumberLength), text) : text;
        }
        return number ? number(text, maxNumberLength) : text;
    }

    private static Object number(String text, int maxNumberLength) {
        String plain = text.indexOf('_') < 0 ? text : text.replace("_", "");
        int sign = plain.startsWith("-") || plain.startsWith("+") ? 1 : 0;
        BigInteger integer = integer(plain, sign, maxNumberLength);
        if (integer != null) {
            return integer.bitLength() < 64 ? (Object) integer.longValue() : integer;
        }
        return FLOAT.matcher(plain).matches() ? finite(checked(plain, maxNumberLength), text) : text;
    }

    private static @Nullable BigInteger integer(String plain, int sign, int maxNumberLength) {
        int radix = 10;
        int start = sign;
        if (plain.startsWith("0", sign) && plain.length() > sign + 1) {
            radix = switch (plain.charAt(sign + 1)) {
                case 'x', 'X' -> 16;
                case 'b', 'B' -> 2;
                default -> 8;
            };
            boolean prefixed = Character.isLetter(plain.charAt(sign + 1));
            start += prefixed ? 2 : 1;
            if (prefixed && radix == 8 && plain.charAt(sign + 1) != 'o' && plain.charAt(sign + 1) != 'O') {
                return null;
            }
        }
        if (start == plain.length()) {
            return null;
        }
        for (int i = start; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c > 'f' || Character.digit(c, radix) < 0) {
                return null;
            }
        }
        BigInteger size = new BigInteger(checked(plain.substring(start), maxNumberLength), radix);
        return plain.startsWith("-") ? size.negate() : size;
    }

    private static String checked(String digits, int maxNumberLength) {
        if (digits.length() > maxNumberLength) {
            throw new JsonException("number is longer than " + maxNumberLength + " characters");
        }
        return digits;
    }

    /** Returns the number; the text when the number is out of range. */
    private static Object finite(String digits, String text) {
        double value = Double.parseDouble(digits);
        return Double.isInfinite(value) ? text : (Object) value;
    }

    /** Returns the value of a scalar with a tag. */
    static @Nullable Object resolve(String tag, String text, int maxNumberLength) {
        String type = tag.startsWith(STANDARD) ? tag.substring(STANDARD.length()) : "";
        switch (type) {
            case "bool", "int", "float", "null" -> {
                Object value = resolve(text, maxNumberLength);
                if (type.equals("float") && value instanceof Long number) {
                    return (double) number;
                }
                String actual = type(value);
                if (!actual.equals(type)) {
                    throw new JsonException("yaml: cannot decode !!" + actual + " `" + text + "` as a !!" + type);
                }
                return value;
            }
            case "binary" -> {
                try {
                    byte[] bytes = Base64.getDecoder().decode(text.replaceAll("[\r\n]", ""));
                    return new String(bytes, StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    throw new JsonException("yaml: !!binary value contains invalid base64 data");
                }
            }
            default -> {
                return text;
            }
        }
    }

    private static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Boolean flag -> "bool";
            case Double number -> "float";
            case String text -> "str";
            default -> "int";
        };
    }

    /** Returns the value for JSON: whole numbers are integers however they were written. */
    static @Nullable Object json(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigInteger number -> number.doubleValue();
            case Double number -> {
                double d = number;
                if (Double.isNaN(d) || Double.isInfinite(d)) {
                    String shown = Double.isNaN(d) ? "NaN" : d > 0 ? "+Inf" : "-Inf";
                    throw new JsonException("json: unsupported value: " + shown);
                }
                if (d != Math.rint(d) || Math.abs(d) >= 0x1p63) {
                    yield number;
                }
                // the digits that Go would write, not the exact value of the double
                BigInteger whole = new BigDecimal(Double.toString(d)).toBigInteger();
                yield whole.bitLength() < 64 ? (Object) whole.longValue() : number;
            }
            default -> value;
        };
    }

    static String key(@Nullable Object value) {
        return switch (value) {
            case String text -> text;
            case Boolean flag -> flag.toString();
            case Long number -> number.toString();
            case Double number when Double.isNaN(number) -> ".nan";
            case Double number when Double.isInfinite(number) -> number > 0 ? ".inf" : "-.inf";
            // upstream formats keys as 32-bit numbers
            case Double number -> Numbers.general(Double.parseDouble(Float.toString(number.floatValue())));
            case null -> throw new JsonException("unsupported map key of type: %!s(<nil>), key: <nil>");
            default -> throw new JsonException("unsupported map key of type: *big.Int, key: " + value);
        };
    }

    /** Returns true if parsers of YAML 1.1 would read the unquoted text as text. */
    static boolean isPlainText(String text) {
        return text.length() > 1000
                || (resolve(text, 1000) instanceof String
                        && !text.equals("<<")
                        && !BASE_60.matcher(text).matches()
                        && !isTime(text));
    }

    private static boolean isTime(String text) {
        var date = DATE.matcher(text);
        if (!date.matches()) {
            return false;
        }
        int year = Integer.parseInt(text.substring(0, 4));
        int month = Integer.parseInt(date.group(1));
        int day = Integer.parseInt(date.group(2));
        if (month < 1
                || month > 12
                || day < 1
                || day > YearMonth.of(year, month).lengthOfMonth()) {
            return false;
        }
        if (date.group(3) == null) {
            return true;
        }
        // with a T there must be a zone, with a blank there must not
        char last = text.charAt(text.length() - 1);
        boolean offset = text.length() > 6
                && text.charAt(text.length() - 3) == ':'
                && "+-".indexOf(text.charAt(text.length() - 6)) >= 0;
        return (text.indexOf(' ') >= 0) != (last == 'Z' || offset)
                && Integer.parseInt(date.group(3)) < 24
                && Integer.parseInt(date.group(4)) < 60
                && Integer.parseInt(date.group(5)) < 60;
    }
}
