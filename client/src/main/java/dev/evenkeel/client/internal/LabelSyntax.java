package dev.evenkeel.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Syntax of label keys and values, with the messages of the API for invalid ones.
 *
 * <p>A key is {@code name} or {@code prefix/name}: the name 1 to 63 letters, digits, {@code -_.}, beginning and ending
 * with a letter or digit; the prefix a lowercase DNS subdomain of at most 253 bytes. A value is empty or like a name.
 * Annotation keys follow the rule of label keys.
 */
public final class LabelSyntax {
    private static final int MAX_NAME = 63;
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String NAME_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                    + " validation is '"
                    + NAME
                    + "')";
    private static final String VALUE_RULE = "a valid label must be an empty string or consist of alphanumeric"
            + " characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
            + " 'my_value',  or '12345', regex used for validation is '("
            + NAME
            + ")?')";
    private static final String PREFIX_RULE = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
            + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
            + " regex used for validation is"
            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    private LabelSyntax() {}

    /** Returns the errors of a key, in upstream's words; empty when it is valid. */
    public static List<String> keyErrors(String key) {
        int slash = key.indexOf('/');
        if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
            return List.of("a valid label key " + NAME_RULE
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        String name = key.substring(slash + 1);
        if (isName(name) && name.length() <= MAX_NAME && (slash < 0 || DnsNames.isSubdomain(key.substring(0, slash)))) {
            return List.of();
        }
        List<String> errors = new ArrayList<>();
        if (slash == 0) {
            errors.add("prefix part must be non-empty");
        } else if (slash > 0) {
            String prefix = key.substring(0, slash);
            addTooLong(errors, prefix, DnsNames.MAX_SUBDOMAIN, "prefix part ");
            if (!DnsNames.isOfLabels(prefix)) {
                errors.add("prefix part " + PREFIX_RULE);
            }
        }
        if (name.isEmpty()) {
            errors.add("name part must be non-empty");
        } else {
            addTooLong(errors, name, MAX_NAME, "name part ");
        }
        if (!isName(name)) {
            errors.add("name part " + NAME_RULE);
        }
        return List.copyOf(errors);
    }

    /** Returns the errors of a value, in upstream's words; empty when it is valid. */
    public static List<String> valueErrors(String value) {
        if (value.isEmpty() || (value.length() <= MAX_NAME && isName(value))) {
            return List.of();
        }
        List<String> errors = new ArrayList<>();
        addTooLong(errors, value, MAX_NAME, "");
        if (!isName(value)) {
            errors.add(VALUE_RULE);
        }
        return List.copyOf(errors);
    }

    private static void addTooLong(List<String> errors, String text, int max, String part) {
        if (text.getBytes(StandardCharsets.UTF_8).length > max) {
            errors.add(part + "must be no more than " + max + " bytes");
        }
    }

    private static boolean isName(String text) {
        if (text.isEmpty() || !isAlphanumeric(text.charAt(0)) || !isAlphanumeric(text.charAt(text.length() - 1))) {
            return false;
        }
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char c) {
        return DnsNames.isLowerAlphanumeric(c) || (c >= 'A' && c <= 'Z');
    }
}
