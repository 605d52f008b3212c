package dev.evenkeel.engine.internal.syntax;

import dev.evenkeel.client.internal.IpLiteral;
import java.util.regex.Pattern;

/**
 * Parses IP addresses and prefixes as text, without resolving names. Leading zeros in IPv4 are tolerated, as upstream
 * does.
 */
public final class IpLiterals {
    // fixed patterns without nested repetition: they cannot backtrack excessively
    private static final Pattern V4 = Pattern.compile("\\d{1,20}\\.\\d{1,20}\\.\\d{1,20}\\.\\d{1,20}");

    private IpLiterals() {}

    public static boolean isV4(String text) {
        if (!V4.matcher(text).matches()) {
            return false;
        }
        for (String part : text.split("\\.", -1)) {
            String digits = part.replaceFirst("^0+(?=.)", "");
            if (digits.length() > 3 || Integer.parseInt(digits) > 255) {
                return false;
            }
        }
        return true;
    }

    public static boolean isV6(String text) {
        return text.indexOf(':') >= 0 && IpLiteral.parse(text).isPresent();
    }

    public static boolean isPrefix(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,3}")) {
            return false;
        }
        String address = text.substring(0, slash);
        int bits = Integer.parseInt(text.substring(slash + 1));
        return (isV4(address) && bits <= 32) || (isV6(address) && bits <= 128);
    }
}
