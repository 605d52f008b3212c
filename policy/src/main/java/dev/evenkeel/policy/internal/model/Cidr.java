package dev.evenkeel.policy.internal.model;

import java.util.Comparator;

/**
 * A block of IP addresses, or one address as the block of its full length.
 *
 * <p>A value of 128 bits for both families: IPv4 addresses are the mapped ones ({@code ::ffff:0:0/96}), and a block belongs
 * to IPv4 if it is within that one. Bits after the prefix are zero. Text is read strictly: decimal IPv4 parts without leading
 * zeros, no zones, no names.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 * @param length the number of significant bits of all 128
 */
public record Cidr(long high, long low, int length) implements Comparable<Cidr>, SetMember {
    private static final int BITS = 128;
    private static final int IPV4_OFFSET = 96;
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;
    private static final Comparator<Cidr> ORDER = Comparator.comparing(Cidr::isIpv4)
            .reversed()
            .thenComparing(Cidr::high, Long::compareUnsigned)
            .thenComparing(Cidr::low, Long::compareUnsigned)
            .thenComparingInt(Cidr::length);

    /** Clears the bits after the prefix. */
    public Cidr {
        high &= mask(length);
        low &= mask(length - Long.SIZE);
    }

    private static long mask(int bits) {
        return bits <= 0 ? 0 : bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
    }

    /**
     * Reads a block in CIDR notation, such as {@code 10.0.0.0/8} or {@code fd00::/8}; bits after the prefix are cleared.
     *
     * @throws IllegalArgumentException if the text is not a block
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a block of addresses, such as \"10.0.0.0/8\" or \"fd00::/8\"");
        }
        Cidr address = address(text.substring(0, slash));
        String digits = text.substring(slash + 1);
        int longest = address.isIpv4() ? BITS - IPV4_OFFSET : BITS;
        int bits = number(digits, 3, 10);
        if (bits < 0 || bits > longest) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a block of addresses: the prefix must be a number from 0 to " + longest);
        }
        return new Cidr(address.high, address.low, address.isIpv4() ? bits + IPV4_OFFSET : bits);
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if the text is not an address
     */
    public static Cidr address(String text) {
        long[] bits = new long[2];
        if (!(text.indexOf(':') < 0 ? ipv4(text, bits) : ipv6(text, bits))) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IP address");
        }
        return new Cidr(bits[0], bits[1], BITS);
    }

    private static boolean ipv4(String text, long[] bits) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        long address = 0;
        for (String part : parts) {
            int number = number(part, 3, 10);
            if (number < 0 || number > 255) {
                return false;
            }
            address = address << 8 | number;
        }
        bits[1] = IPV4_MAPPED | address;
        return true;
    }

    private static boolean ipv6(String text, long[] bits) {
        String expanded = text;
        int dot = text.indexOf('.');
        if (dot >= 0) {
            int colon = text.lastIndexOf(':', dot);
            long[] last = new long[2];
            if (colon < 0 || !ipv4(text.substring(colon + 1), last)) {
                return false;
            }
            expanded = text.substring(0, colon + 1)
                    + Long.toHexString(last[1] >>> 16 & 0xffff)
                    + ":"
                    + Long.toHexString(last[1] & 0xffff);
        }
        int gap = expanded.indexOf("::");
        String head = gap < 0 ? expanded : expanded.substring(0, gap);
        String tail = gap < 0 ? "" : expanded.substring(gap + 2);
        String[] first = head.isEmpty() ? new String[0] : head.split(":", -1);
        String[] second = tail.isEmpty() ? new String[0] : tail.split(":", -1);
        int count = first.length + second.length;
        if (gap < 0 ? count != 8 : count > 7) {
            return false;
        }
        for (int i = 0; i < 8; i++) {
            String group = i < first.length ? first[i] : i >= 8 - second.length ? second[i - 8 + second.length] : "0";
            int number = number(group, 4, 16);
            if (number < 0) {
                return false;
            }
            bits[i / 4] = bits[i / 4] << 16 | number;
        }
        return true;
    }

    /** Returns an unsigned number, decimal without leading zeros; -1 if the text is not one. */
    private static int number(String text, int longest, int radix) {
        if (text.isEmpty() || text.length() > longest || (radix == 10 && text.length() > 1 && text.charAt(0) == '0')) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }

    /** Returns whether this is a block of IPv4 addresses. */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff && length >= IPV4_OFFSET;
    }

    /** Returns whether all addresses of another block of the same family are in this one. */
    public boolean contains(Cidr other) {
        return length <= other.length
                && isIpv4() == other.isIpv4()
                && (other.high & mask(length)) == high
                && (other.low & mask(length - Long.SIZE)) == low;
    }

    @Override
    public int compareTo(Cidr other) {
        return ORDER.compare(this, other);
    }

    /** Returns the text in CIDR notation, such as {@code 10.0.0.1/32}. */
    @Override
    public String toString() {
        return addressText() + "/" + (isIpv4() ? length - IPV4_OFFSET : length);
    }

    /** Returns the text of the first address, such as {@code 10.0.0.1} or, compressed, {@code fd00::1}. */
    public String addressText() {
        if (isIpv4()) {
            return (low >>> 24 & 255) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
        }
        int longest = 1;
        int gap = -1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group(end) == 0) {
                end++;
            }
            if (end - i > longest) {
                longest = end - i;
                gap = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == gap) {
                text.append("::");
                i += longest - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }

    private int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (16 * (3 - index % 4))) & 0xffff;
    }
}
