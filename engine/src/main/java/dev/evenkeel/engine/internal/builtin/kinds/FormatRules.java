package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.client.internal.IpLiteral;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** FormatRules that several kinds share. Each function that returns a list returns errors, in upstream's words. */
final class FormatRules {
    static final String IP_ERROR = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    private static final String UNDERSCORES = "[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?";
    private static final Pattern UNDERSCORES_PATTERN =
            Pattern.compile("_?" + UNDERSCORES + "(\\." + UNDERSCORES + ")*");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    private static final Pattern HTTP_PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

    private FormatRules() {}

    /** Checks the name of a port: an IANA service name. */
    static List<String> portName(String name) {
        List<String> wrong = new ArrayList<>();
        if (name.length() > 15) {
            wrong.add("must be no more than 15 characters");
        }
        if (!name.matches("[-a-z0-9]+")) {
            wrong.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            wrong.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            wrong.add("must not contain consecutive hyphens");
        }
        if (!name.isEmpty() && (name.startsWith("-") || name.endsWith("-"))) {
            wrong.add("must not begin or end with a hyphen");
        }
        return wrong;
    }

    /** Requires a number or the name of a port. */
    static void portOrName(Field port) {
        if (port.value() instanceof String name) {
            portName(name).forEach(detail -> port.invalid(name, detail));
        } else {
            portNumber(port);
        }
    }

    /** Requires a number of a port; an absent one is 0. */
    static void portNumber(Field port) {
        if (port.number() < 1 || port.number() > 65_535) {
            port.invalid(port.number(), "must be between 1 and 65535, inclusive");
        }
    }

    static List<String> environmentName(String name) {
        boolean printable = !name.isEmpty() && name.chars().allMatch(c -> c >= 32 && c < 127 && c != '=');
        return printable
                ? List.of()
                : List.of("a valid environment variable name must consist only of printable ASCII characters other"
                        + " than '='");
    }

    /** Checks a key of a config map or secret. */
    static List<String> dataKey(String key) {
        List<String> wrong = new ArrayList<>();
        if (Names.bytes(key) > 253) {
            wrong.add("must be no more than 253 characters");
        }
        if (!KEY.matches(key)) {
            wrong.add("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                    + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
        }
        if (key.equals(".") || key.equals("..")) {
            wrong.add("must not be '" + key + "'");
        } else if (key.startsWith("..")) {
            wrong.add("must not start with '..'");
        }
        return wrong;
    }

    /** Checks a domain of a search list, which may have underscores. */
    static List<String> searchDomain(String name) {
        List<String> wrong = new ArrayList<>();
        if (Names.bytes(name) > 253) {
            wrong.add("must be no more than 253 characters");
        }
        if (!UNDERSCORES_PATTERN.matches(name)) {
            wrong.add("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or"
                    + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                    + " validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')");
        }
        return wrong;
    }

    /** Requires a path with the name of a domain before it, such as {@code acme.io/foo}. */
    static void prefixedPath(Field path) {
        if (!path.require()) {
            return;
        }
        int slash = path.text().indexOf('/');
        if (slash < 1 || slash == path.text().length() - 1) {
            path.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
            return;
        }
        String host = path.text().substring(0, slash);
        String rest = path.text().substring(slash + 1);
        Names.subdomain(host).forEach(detail -> path.invalid(host, detail));
        if (!HTTP_PATH.matches(rest)) {
            path.invalid(rest, "Invalid path (regex used for validation is '" + HTTP_PATH.pattern() + "')");
        }
    }

    /** Checks an address: zeros before a number could mean that it is octal, and a mapped address has two families. */
    static List<String> ip(String text) {
        if (!isIp(text)) {
            return List.of(IP_ERROR);
        }
        if (hasOctal(text)) {
            return List.of("must not have leading 0s");
        }
        return isMapped(text) ? List.of("must not be an IPv4-mapped IPv6 address") : List.of();
    }

    static boolean hasOctal(String address) {
        String numbers = address.substring(address.lastIndexOf(':') + 1);
        return numbers.contains(".")
                && List.of(numbers.split("\\.", -1)).stream()
                        .anyMatch(number -> number.length() > 1 && number.startsWith("0"));
    }

    static boolean isMapped(String address) {
        return address.contains(":") && bits(address).length() == Integer.SIZE;
    }

    /** Requires a range of addresses without bits behind its prefix; returns false if it has no such form. */
    static boolean prefix(Field range) {
        return prefix(range, range.text());
    }

    /** Requires a range like {@link #prefix(Field)}, in a text that the field has among others. */
    static boolean prefix(Field range, String text) {
        if (!IpLiterals.isPrefix(text)) {
            range.invalid(text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
            return false;
        }
        int slash = text.indexOf('/');
        String address = text.substring(0, slash);
        String length = text.substring(slash + 1);
        if (hasOctal(address) || (length.length() > 1 && length.startsWith("0"))) {
            range.invalid(text, "must not have leading 0s in IP or prefix length");
            return false;
        }
        if (isMapped(address)) {
            range.invalid(text, "must not have an IPv4-mapped IPv6 address");
            return false;
        }
        if (bits(address).indexOf('1', Integer.parseInt(length)) >= 0) {
            range.invalid(text, "must not have bits set beyond the prefix length");
        }
        return true;
    }

    /** Returns the bits of an address. */
    static String bits(String address) {
        StringBuilder bits = new StringBuilder();
        for (byte each : IpLiteral.parse(address).orElseThrow().getAddress()) {
            bits.append(Integer.toBinaryString((each & 0xFF) | 0x100).substring(1));
        }
        return bits.toString();
    }

    static boolean isIp(String text) {
        return IpLiterals.isV4(text) || IpLiterals.isV6(text);
    }

    /** Requires a relative path that stays below its directory. */
    static void relativePath(Field path, String text) {
        if (text.startsWith("/")) {
            path.invalid(text, "must be a relative path");
        }
        noBacksteps(path, text);
    }

    /** Requires a relative path whose first element does not begin with two dots. */
    static void localPath(Field path) {
        String text = path.text();
        relativePath(path, text);
        if (text.startsWith("..") && !text.startsWith("../") && !text.equals("..")) {
            path.invalid(text, "must not start with '..'");
        }
    }

    static void noBacksteps(Field path, String text) {
        if (hasBacksteps(text)) {
            path.invalid(text, "must not contain '..'");
        }
    }

    static boolean hasBacksteps(String path) {
        return List.of(path.split("/", -1)).contains("..");
    }

    /** Requires a quantity, if there is one, not to be negative. */
    static void notNegative(Field quantity) {
        quantity(quantity)
                .filter(amount -> amount.value().signum() < 0)
                .ifPresent(amount -> quantity.invalid(amount.text(), "must be greater than or equal to 0"));
    }

    /** Reads a quantity, in the canonical text of which errors show it. */
    static Optional<Quantity> quantity(Field field) {
        return field.given() ? Quantity.read(String.valueOf(field.value())) : Optional.empty();
    }
}
