package dev.evenkeel.engine.internal.syntax;

import dev.evenkeel.engine.internal.json.GoTypes;
import java.util.Arrays;

/**
 * The text of an IP address, parsed as Go's {@code netip.ParseAddr} does, with its messages.
 *
 * @param bytes 4 or 16
 * @param zone of an IPv6 address; empty for none
 */
public record AddressText(byte[] bytes, String zone) {
    /** Thrown for a text that cannot be read as an address. */
    public static final class MalformedException extends Exception {
        private MalformedException(String text, String why) {
            super("ParseAddr(" + GoTypes.quoted(text) + "): " + why, null, false, false);
        }

        private MalformedException(String text, String why, String at) {
            this(text, why + " (at " + GoTypes.quoted(at) + ")");
        }
    }

    /** Parses an address: strictly, without leading zeros in IPv4. */
    public static AddressText parse(String text) throws MalformedException {
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '.' -> {
                    byte[] bytes = new byte[4];
                    v4(text, text, bytes, 0);
                    return new AddressText(bytes, "");
                }
                case ':' -> {
                    return v6(text);
                }
                case '%' -> throw new MalformedException(text, "missing IPv6 address");
                default -> {}
            }
        }
        throw new MalformedException(text, "unable to parse IP");
    }

    /** Returns true for an IPv4 address within an IPv6 one. */
    public boolean mapped() {
        if (bytes.length != 16 || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static void v4(String whole, String part, byte[] into, int from) throws MalformedException {
        int value = 0;
        int digits = 0;
        int fields = 0;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c >= '0' && c <= '9') {
                if (digits == 1 && value == 0) {
                    throw new MalformedException(whole, "IPv4 field has octet with leading zero");
                }
                value = value * 10 + c - '0';
                digits++;
                if (value > 255) {
                    throw new MalformedException(whole, "IPv4 field has value >255");
                }
            } else if (c != '.') {
                throw new MalformedException(whole, "unexpected character", part.substring(i));
            } else if (i == 0 || i == part.length() - 1 || part.charAt(i - 1) == '.') {
                throw new MalformedException(whole, "IPv4 field must have at least one digit", part.substring(i));
            } else if (fields == 3) {
                throw new MalformedException(whole, "IPv4 address too long");
            } else {
                into[from + fields++] = (byte) value;
                value = 0;
                digits = 0;
            }
        }
        if (fields < 3) {
            throw new MalformedException(whole, "IPv4 address too short");
        }
        into[from + 3] = (byte) value;
    }

    private static AddressText v6(String whole) throws MalformedException {
        int percent = whole.indexOf('%');
        String zone = percent < 0 ? "" : whole.substring(percent + 1);
        if (percent >= 0 && zone.isEmpty()) {
            throw new MalformedException(whole, "zone must be a non-empty string");
        }
        String rest = percent < 0 ? whole : whole.substring(0, percent);
        byte[] bytes = new byte[16];
        int ellipsis = -1;
        if (rest.startsWith("::")) {
            ellipsis = 0;
            rest = rest.substring(2);
        }
        int filled = 0;
        while (filled < 16 && !(rest.isEmpty() && ellipsis == filled)) {
            int length = group(whole, rest);
            if (length < rest.length() && rest.charAt(length) == '.') {
                if (ellipsis < 0 && filled != 12) {
                    throw new MalformedException(
                            whole, "embedded IPv4 address must replace the final 2 fields of the address", rest);
                }
                if (filled > 12) {
                    throw new MalformedException(
                            whole, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
                }
                v4(whole, rest, bytes, filled);
                rest = "";
                filled += 4;
                break;
            }
            int value = Integer.parseInt(rest.substring(0, length), 16);
            bytes[filled++] = (byte) (value >> 8);
            bytes[filled++] = (byte) value;
            rest = rest.substring(length);
            if (rest.isEmpty()) {
                break;
            }
            if (rest.charAt(0) != ':') {
                throw new MalformedException(whole, "unexpected character, want colon", rest);
            }
            if (rest.length() == 1) {
                throw new MalformedException(whole, "colon must be followed by more characters", rest);
            }
            rest = rest.substring(1);
            if (rest.charAt(0) == ':') {
                if (ellipsis >= 0) {
                    throw new MalformedException(whole, "multiple :: in address", rest);
                }
                ellipsis = filled;
                rest = rest.substring(1);
            }
        }
        return new AddressText(expanded(whole, rest, bytes, filled, ellipsis), zone);
    }

    /** Returns the number of hexadecimal digits that a text begins with. */
    private static int group(String whole, String rest) throws MalformedException {
        int length = 0;
        while (length < rest.length() && "0123456789abcdefABCDEF".indexOf(rest.charAt(length)) >= 0) {
            if (length > 3) {
                throw new MalformedException(whole, "each group must have 4 or less digits", rest);
            }
            length++;
        }
        if (length == 0) {
            throw new MalformedException(whole, "each colon-separated field must have at least one digit", rest);
        }
        return length;
    }

    private static byte[] expanded(String whole, String rest, byte[] bytes, int filled, int ellipsis)
            throws MalformedException {
        if (!rest.isEmpty()) {
            throw new MalformedException(whole, "trailing garbage after address", rest);
        }
        if (filled < 16 && ellipsis < 0) {
            throw new MalformedException(whole, "address string too short");
        }
        if (filled == 16 && ellipsis >= 0) {
            throw new MalformedException(whole, "the :: must expand to at least one field of zeros");
        }
        if (filled < 16) {
            int tail = filled - ellipsis;
            System.arraycopy(bytes, ellipsis, bytes, 16 - tail, tail);
            Arrays.fill(bytes, ellipsis, 16 - tail, (byte) 0);
        }
        return bytes;
    }
}
