package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.syntax.AddressText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses IP addresses and prefixes strictly: no zones, no leading zeros, no IPv4 within IPv6. */
final class Networks {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");
    private static final String PREFIX_ERROR = "network address parse error during conversion from string: ";

    private Networks() {}

    /** An address, of 4 or 16 octets. */
    record Address(Octets octets) {
        byte[] bytes() {
            return octets.bytes();
        }

        boolean isV4() {
            return bytes().length == 4;
        }

        String text() {
            return isV4() ? v4(bytes()) : v6(bytes());
        }

        InetAddress inet() {
            try {
                return InetAddress.getByAddress(bytes());
            } catch (UnknownHostException e) {
                throw new IllegalStateException("4 or 16 octets", e);
            }
        }

        boolean globalUnicast() {
            InetAddress inet = inet();
            boolean broadcast = isV4() && Arrays.equals(bytes(), new byte[] {-1, -1, -1, -1});
            return !broadcast
                    && !inet.isAnyLocalAddress()
                    && !inet.isLoopbackAddress()
                    && !inet.isMulticastAddress()
                    && !inet.isLinkLocalAddress();
        }
    }

    /**
     * A prefix.
     *
     * @param address as written, bits of hosts included
     * @param bits its length
     */
    record Prefix(Address address, int bits) {
        String text() {
            return address.text() + "/" + bits;
        }

        Prefix masked() {
            byte[] bytes = address.bytes().clone();
            for (int i = 0; i < bytes.length; i++) {
                int keep = Math.clamp(bits - 8L * i, 0, 8);
                bytes[i] &= (byte) (0xff << (8 - keep));
            }
            return new Prefix(new Address(new Octets(bytes)), bits);
        }

        boolean contains(Address other) {
            return other.bytes().length == address.bytes().length
                    && new Prefix(other, bits).masked().address.equals(masked().address);
        }

        boolean contains(Prefix other) {
            return bits <= other.bits && contains(other.address);
        }
    }

    /** Returns an {@link Address}, or a {@link Problem} with upstream's message. */
    static Object address(String text) {
        try {
            AddressText parsed = AddressText.parse(text);
            if (!parsed.zone().isEmpty()) {
                return new Problem("IP address " + GoTypes.quoted(text) + " with zone value is not allowed");
            }
            return parsed.mapped() ? mapped(text) : new Address(new Octets(parsed.bytes()));
        } catch (AddressText.MalformedException e) {
            return new Problem("IP Address " + GoTypes.quoted(text) + " parse error during conversion from string: "
                    + e.getMessage());
        }
    }

    /** Returns a {@link Prefix}, or a {@link Problem} with upstream's message. */
    static Object prefix(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0) {
            return malformed(text, "no '/'");
        }
        AddressText parsed;
        try {
            parsed = AddressText.parse(text.substring(0, slash));
        } catch (AddressText.MalformedException e) {
            return malformed(text, e.getMessage());
        }
        if (!parsed.zone().isEmpty()) {
            return malformed(text, "IPv6 zones cannot be present in a prefix");
        }
        String length = text.substring(slash + 1);
        if (!NUMBER.matcher(length).matches()) {
            return malformed(text, "bad bits after slash: " + GoTypes.quoted(length));
        }
        int bits = length.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(length);
        if (bits > parsed.bytes().length * 8) {
            return malformed(text, "prefix length out of range");
        }
        return parsed.mapped()
                ? new Problem(PREFIX_ERROR + mapped(text).text())
                : new Prefix(new Address(new Octets(parsed.bytes())), bits);
    }

    private static Problem mapped(String text) {
        return new Problem("IPv4-mapped IPv6 address " + GoTypes.quoted(text) + " is not allowed");
    }

    /** Returns the error of a prefix, which upstream introduces twice. */
    private static Problem malformed(String text, @Nullable String why) {
        return new Problem(PREFIX_ERROR + PREFIX_ERROR + "netip.ParsePrefix(" + GoTypes.quoted(text) + "): " + why);
    }

    private static String v4(byte[] b) {
        return (b[0] & 0xff) + "." + (b[1] & 0xff) + "." + (b[2] & 0xff) + "." + (b[3] & 0xff);
    }

    /** Formats by RFC 5952: lower case, the longest run of zeros left out. */
    private static String v6(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int best = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                best = i;
                length = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == best) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.toString().endsWith(":") ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
