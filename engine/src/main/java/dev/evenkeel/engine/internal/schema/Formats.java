package dev.evenkeel.engine.internal.schema;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.WebUrl;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The formats that values are checked against. Unknown formats are ignored, with a warning when the definition is
 * written. Names are compared without their dashes: {@code date-time} is {@code datetime}.
 */
public final class Formats {
    private static final Set<String> INTEGER = Set.of("int32", "int64");
    private static final Set<String> NUMBER = Set.of("float", "double");

    private static final String HEX4 = "[0-9a-f]{4}-?";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Predicate<String> HOSTNAME =
            pattern("([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                    + "|([a-zA-Z0-9\\p{S}\\p{L}](([-a-zA-Z0-9\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.))+"
                    + "([a-zA-Z\\p{L}]){2,63})");
    private static final Predicate<String> CARD = pattern("(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}"
            + "|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}"
            + "|(?:2131|1800|35\\d{3})\\d{11})");
    private static final String BYTE = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
    private static final Pattern TIME =
            Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))");
    private static final Predicate<String> GO_DURATION =
            pattern("[-+]?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
    private static final Pattern DURATION_PART = Pattern.compile("\\d+\\s*([A-Za-zµ]+)");
    private static final Set<String> UNITS = Set.of("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk");
    private static final List<String> UNIT_STARTS =
            List.of("nano", "micro", "milli", "sec", "min", "hour", "day", "week");
    private static final Predicate<String> EMAIL = pattern(
            "([^<>@,;:\\\\\"]*<)?([^\\s<>@,;:\\\\\"()\\[\\].]+(\\.[^\\s<>@,;:\\\\\"()\\[\\].]+)*|\"[^\"\\\\]+\")"
                    + "@([^\\s<>@,;:\\\\\"()\\[\\].]+(\\.[^\\s<>@,;:\\\\\"()\\[\\].]+)*|\\[[0-9a-fA-F:.]+\\])>?");

    private static final Map<String, Predicate<String>> STRING = new TreeMap<>(Map.ofEntries(
            Map.entry("bsonobjectid", pattern("[0-9a-fA-F]{24}")),
            Map.entry("byte", pattern("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")),
            Map.entry("cidr", IpLiterals::isPrefix),
            Map.entry("creditcard", Formats::isCard),
            Map.entry("date", Formats::isDate),
            Map.entry("datetime", Formats::isDateTime),
            Map.entry("duration", Formats::isDuration),
            Map.entry("email", Formats::isEmail),
            Map.entry("hexcolor", pattern("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
            Map.entry("hostname", Formats::isHostname),
            Map.entry("ipv4", text -> IpLiterals.isV4(text) || (text.indexOf('.') >= 0 && IpLiterals.isV6(text))),
            Map.entry("ipv6", IpLiterals::isV6),
            Map.entry("isbn", text -> isIsbn10(text) || isIsbn13(text)),
            Map.entry("isbn10", Formats::isIsbn10),
            Map.entry("isbn13", Formats::isIsbn13),
            Map.entry("k8slongname", sized(253, pattern(LABEL + "(\\." + LABEL + ")*"))),
            Map.entry("k8sshortname", sized(63, pattern(LABEL))),
            Map.entry(
                    "mac",
                    pattern("(?i)[0-9a-f]{2}((:[0-9a-f]{2}){5}|(:[0-9a-f]{2}){7}|(:[0-9a-f]{2}){19}"
                            + "|(-[0-9a-f]{2}){5}|(-[0-9a-f]{2}){7}|(-[0-9a-f]{2}){19})"
                            + "|[0-9a-f]{4}((\\.[0-9a-f]{4}){2}|(\\.[0-9a-f]{4}){3}|(\\.[0-9a-f]{4}){9})")),
            Map.entry("password", unused -> true),
            Map.entry("rgbcolor", pattern("rgb\\(" + BYTE + "," + BYTE + "," + BYTE + "\\)")),
            Map.entry("ssn", pattern("\\d{3}[- ]\\d{2}[- ]\\d{4}")),
            Map.entry("uri", WebUrl::isRequest),
            Map.entry("uuid", pattern("(?i)[0-9a-f]{8}-?" + HEX4 + HEX4 + HEX4 + "[0-9a-f]{12}")),
            Map.entry("uuid3", pattern("(?i)[0-9a-f]{8}-?" + HEX4 + "3[0-9a-f]{3}-?" + HEX4 + "[0-9a-f]{12}")),
            Map.entry("uuid4", pattern("(?i)[0-9a-f]{8}-?" + HEX4 + "4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}")),
            Map.entry("uuid5", pattern("(?i)[0-9a-f]{8}-?" + HEX4 + "5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"))));

    private Formats() {}

    /** Returns true if values of a type (empty: any, or several) are checked against a format. */
    static boolean isKnown(String type, String format) {
        return switch (type) {
            case "", "string" -> STRING.containsKey(normal(format));
            case "integer" -> INTEGER.contains(format);
            case "number" -> NUMBER.contains(format);
            default -> false;
        };
    }

    /** Returns the check of text against a format; null when it is not a format of text. */
    static @Nullable Predicate<String> ofText(String format) {
        return format.isEmpty() ? null : STRING.get(normal(format));
    }

    /** Returns whether a text has a format; true for an unknown format. */
    public static boolean matches(String format, String text) {
        Predicate<String> check = ofText(format);
        return check == null || check.test(text);
    }

    /** Collects the ignored formats in a schema and below, each as often as it occurs. */
    public static void unknown(JsonObject schema, List<String> result) {
        String format = schema.string("format");
        if (!format.isEmpty() && !isKnown(schema.string("type"), format)) {
            result.add(format);
        }
        SchemaSource.children(schema, (path, child) -> unknown(child, result));
    }

    private static String normal(String format) {
        return format.indexOf('-') < 0 ? format : format.replace("-", "");
    }

    private static Predicate<String> pattern(String pattern) {
        return Pattern.compile(pattern)::matches;
    }

    private static Predicate<String> sized(int max, Predicate<String> check) {
        return text -> Names.bytes(text) <= max && check.test(text);
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == 10 && LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        Matcher time = TIME.matcher(parts[1]);
        return time.matches()
                && time.group(1).compareTo("23") <= 0
                && time.group(2).compareTo("59") <= 0
                && time.group(3).compareTo("59") <= 0;
    }

    /** Returns true for Go's notation, or any text with a number and a unit somewhere, such as {@code 5 days}. */
    private static boolean isDuration(String text) {
        if (GO_DURATION.test(text)) {
            return true;
        }
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            String unit = part.group(1).toLowerCase(Locale.ROOT);
            if (UNITS.contains(unit) || UNIT_STARTS.stream().anyMatch(unit::startsWith)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEmail(String text) {
        return EMAIL.test(text) && text.contains("<") == text.endsWith(">");
    }

    private static boolean isHostname(String text) {
        return Names.bytes(text) <= 255
                && HOSTNAME.test(text)
                && Arrays.stream(text.split("\\.", -1)).allMatch(label -> Names.bytes(label) <= 63);
    }

    private static boolean isCard(String text) {
        String digits = text.replaceAll("[^0-9]", "");
        int sum = sum(digits.length(), i -> {
            int weighted = (i % 2 + 1) * (digits.charAt(digits.length() - 1 - i) - '0');
            return weighted > 9 ? weighted - 9 : weighted;
        });
        return CARD.test(digits) && sum % 10 == 0;
    }

    private static boolean isIsbn10(String text) {
        String digits = text.replaceAll("[\\s-]", "");
        return digits.matches("[0-9]{9}[0-9X]")
                && sum(10, i -> (i + 1) * (digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0')) % 11 == 0;
    }

    private static boolean isIsbn13(String text) {
        String digits = text.replaceAll("[\\s-]", "");
        return digits.matches("[0-9]{13}") && sum(13, i -> (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0')) % 10 == 0;
    }

    private static int sum(int digits, IntUnaryOperator weighted) {
        return IntStream.range(0, digits).map(weighted).sum();
    }
}
