package dev.evenkeel.engine.internal.syntax;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks names. Each function returns the errors of a value, in upstream's words. Lengths count bytes of UTF-8, as
 * upstream does.
 */
public final class Names {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE = "(" + QUALIFIED + ")?";
    private static final String NOT_QUALIFIED = pattern(
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
                    + "alphanumeric character",
            QUALIFIED,
            "MyName",
            "my.name",
            "123-abc");
    private static final String NO_VALUE = pattern(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
                    + "and must start and end with an alphanumeric character",
            VALUE,
            "MyValue",
            "my_value",
            "12345");
    /** An octet of an IPv4 address that may be read as octal. */
    private static final Pattern LEADING_ZEROS = Pattern.compile("(^|[.:])0[0-9]+(\\.|$)");

    private Names() {}

    public static List<String> check(ResourceType.Names rule, String name) {
        return switch (rule) {
            case SUBDOMAIN -> subdomain(name, "characters"); // as upstream calls them here, and only for RFC 1123
            case LONG_NAME -> subdomain(name, "bytes");
            case LABEL -> label(name);
            case PATH_SEGMENT -> pathSegment(name);
            case ADDRESS -> address(name);
        };
    }

    /** Checks a prefix from which names are generated: the generated part may make its end valid. */
    public static List<String> checkPrefix(ResourceType.Names rule, String prefix) {
        if (rule == ResourceType.Names.PATH_SEGMENT) {
            return pathSegmentPart(prefix);
        }
        if (rule == ResourceType.Names.ADDRESS) {
            return address(prefix);
        }
        boolean dash = prefix.length() > 1 && prefix.endsWith("-");
        return check(rule, dash ? prefix.substring(0, prefix.length() - 2) + "a" : prefix);
    }

    private static List<String> address(String name) {
        if (!IpLiterals.isV4(name) && !IpLiterals.isV6(name)) {
            return List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
        if (LEADING_ZEROS.matcher(name).find() && name.indexOf('.') >= 0) {
            return List.of("must not have leading 0s");
        }
        String canonical = IpLiterals.canonical(name);
        if (IpLiterals.isV6(name) && IpLiterals.isV4(canonical)) {
            return List.of("must not be an IPv4-mapped IPv6 address");
        }
        return canonical.equals(name) ? List.of() : List.of("must be in canonical form (\"" + canonical + "\")");
    }

    /** Checks an RFC 1123 subdomain, such as {@code example.com}. */
    public static List<String> subdomain(String value) {
        return subdomain(value, "characters");
    }

    private static List<String> subdomain(String value, String unit) {
        // the common case without allocation: names are short, lower-case and plain
        if (value.length() <= 253 && isSubdomain(value)) {
            return List.of();
        }
        List<String> wrong = new ArrayList<>(2);
        tooLong(value, 253, unit, wrong);
        if (!isSubdomain(value)) {
            wrong.add(pattern(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
                            + "and must start and end with an alphanumeric character",
                    SUBDOMAIN,
                    "example.com"));
        }
        return wrong;
    }

    /** Checks an RFC 1123 label, such as {@code my-name}. */
    public static List<String> label(String value) {
        if (value.length() <= 63 && isLabel(value)) {
            return List.of();
        }
        List<String> wrong = new ArrayList<>(0);
        tooLong(value, 63, "characters", wrong);
        if (!isLabel(value)) {
            wrong.add(
                    isSubdomain(value)
                            ? "must not contain dots"
                            : pattern(
                                    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
                                            + "'-', and must start and end with an alphanumeric character",
                                    LABEL,
                                    "my-name",
                                    "123-abc"));
        }
        return wrong;
    }

    /** Checks an RFC 1035 label: like RFC 1123, but it starts with a letter. */
    public static List<String> label1035(String value) {
        List<String> wrong = new ArrayList<>(0);
        tooLong(value, 63, "characters", wrong);
        if (!isLabel(value) || value.charAt(0) < 'a') {
            wrong.add(pattern(
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                            + "alphabetic character, and end with an alphanumeric character",
                    LABEL_1035,
                    "my-name",
                    "abc-123"));
        }
        return wrong;
    }

    public static List<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) {
            return List.of("may not be '" + value + "'");
        }
        return pathSegmentPart(value);
    }

    private static List<String> pathSegmentPart(String value) {
        List<String> wrong = new ArrayList<>(0);
        for (String part : List.of("/", "%")) {
            if (value.contains(part)) {
                wrong.add("may not contain '" + part + "'");
            }
        }
        return wrong;
    }

    /** Checks a label key, annotation key or finalizer: a name, optionally after a subdomain and a slash. */
    public static List<String> qualified(String value) {
        int slash = value.indexOf('/');
        if (slash >= 0 && value.indexOf('/', slash + 1) >= 0) {
            return List.of("a valid label key " + NOT_QUALIFIED
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> wrong = new ArrayList<>(0);
        if (slash == 0) {
            wrong.add("prefix part must be non-empty");
        } else if (slash > 0) {
            subdomain(value.substring(0, slash), "bytes").forEach(text -> wrong.add("prefix part " + text));
        }
        String name = value.substring(slash + 1);
        if (name.isEmpty()) {
            wrong.add("name part must be non-empty");
        } else if (bytes(name) > 63) {
            wrong.add("name part must be no more than 63 bytes");
        }
        if (!isQualified(name)) {
            wrong.add("name part " + NOT_QUALIFIED);
        }
        return wrong;
    }

    /** Checks the value of a label; may be empty. */
    public static List<String> labelValue(String value) {
        List<String> wrong = new ArrayList<>(0);
        tooLong(value, 63, "bytes", wrong);
        if (!value.isEmpty() && !isQualified(value)) {
            wrong.add(NO_VALUE);
        }
        return wrong;
    }

    private static boolean isLabel(String value) {
        return value.indexOf('.') < 0 && isSubdomain(value);
    }

    /** Returns true if the value matches {@link #SUBDOMAIN}. A regular expression takes a second for a name of a megabyte. */
    private static boolean isSubdomain(String value) {
        char before = '.';
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '.' || c == '-') {
                if (before == '.' || (c == '.' && before == '-')) {
                    return false;
                }
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
                return false;
            }
            before = c;
        }
        return before != '.' && before != '-';
    }

    private static boolean isQualified(String value) {
        int last = value.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = value.charAt(i);
            boolean inner = i > 0 && i < last && (c == '-' || c == '_' || c == '.');
            if (!inner && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) {
                return false;
            }
        }
        return last >= 0;
    }

    private static void tooLong(String value, int max, String unit, List<String> wrong) {
        if (value.length() > max / 4 && bytes(value) > max) {
            wrong.add("must be no more than " + max + " " + unit);
        }
    }

    public static int bytes(String value) {
        int bytes = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    private static String pattern(String message, String pattern, String... examples) {
        StringBuilder text = new StringBuilder(message).append(" (e.g. ");
        for (int i = 0; i < examples.length; i++) {
            text.append(i > 0 ? " or " : "").append('\'').append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '")
                .append(pattern)
                .append("')")
                .toString();
    }
}
