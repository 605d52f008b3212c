package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.client.internal.IpLiteral;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses IP addresses and prefixes strictly: no zones, no leading zeros, no IPv4 within IPv6. */
final class Networks {
    private static final Pattern PART = Pattern.compile("0|[1-9]\\d{0,2}");
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]{2,39}");

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

    static Optional<Address> address(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length == 4) {
            byte[] bytes = new byte[4];
            for (int i = 0; i < 4; i++) {
                if (!PART.matcher(parts[i]).matches() || Integer.parseInt(parts[i]) > 255) {
                    return Optional.empty();
                }
                bytes[i] = (byte) Integer.parseInt(parts[i]);
            }
            return Optional.of(new Address(new Octets(bytes)));
        }
        if (text.indexOf(':') < 0 || !V6.matcher(text).matches()) {
            return Optional.empty();
        }
        // an address that Java parses as IPv4 was written as IPv4 in IPv6
        return IpLiteral.parse(text)
                .filter(Inet6Address.class::isInstance)
                .map(address -> new Address(new Octets(address.getAddress())));
    }

    static Optional<Prefix> prefix(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || !PART.matcher(text.substring(slash + 1)).matches()) {
            return Optional.empty();
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(address -> bits <= address.bytes().length * 8)
                .map(address -> new Prefix(address, bits));
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
