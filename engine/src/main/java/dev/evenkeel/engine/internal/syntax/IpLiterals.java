package dev.evenkeel.engine.internal.syntax;

import dev.evenkeel.client.internal.IpLiteral;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /** Returns whether a host of a URL is this machine; other names than {@code localhost} may resolve to any address. */
    public static boolean isThisMachine(String host) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return bare.equalsIgnoreCase("localhost")
                || IpLiteral.parse(bare).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    public static boolean isV6(String text) {
        return text.indexOf(':') >= 0 && IpLiteral.parse(text).isPresent();
    }

    /** Returns an address in its shortest form. */
    public static String canonical(String address) {
        return canonical(IpLiteral.parse(address).orElseThrow().getAddress());
    }

    /** Returns the address of which these are the bits, in its shortest form. */
    public static String ofBits(String bits) {
        byte[] bytes = new byte[bits.length() / Byte.SIZE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(bits.substring(i * Byte.SIZE, (i + 1) * Byte.SIZE), 2);
        }
        return canonical(bytes);
    }

    private static String canonical(byte[] bytes) {
        if (bytes.length == 4) {
            return (bytes[0] & 0xFF) + "." + (bytes[1] & 0xFF) + "." + (bytes[2] & 0xFF) + "." + (bytes[3] & 0xFF);
        }
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | (bytes[2 * i + 1] & 0xFF);
        }
        int start = 0;
        int longest = 1;
        for (int i = 0; i < groups.length; i++) {
            int zeros = 0;
            while (i + zeros < groups.length && groups[i + zeros] == 0) {
                zeros++;
            }
            if (zeros > longest) {
                start = i;
                longest = zeros;
            }
        }
        if (longest == 1) {
            return hex(groups, 0, groups.length);
        }
        return hex(groups, 0, start) + "::" + hex(groups, start + longest, groups.length);
    }

    private static String hex(int[] groups, int from, int to) {
        return Arrays.stream(groups, from, to).mapToObj(Integer::toHexString).collect(Collectors.joining(":"));
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
