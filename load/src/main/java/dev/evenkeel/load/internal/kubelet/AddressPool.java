package dev.evenkeel.load.internal.kubelet;

import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The IPv4 addresses of a range, each given to one pod at a time: in turn, so that a released address is given again as
 * late as possible. Not safe for use by several threads.
 */
final class AddressPool {
    private static final Pattern CIDR = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
    private static final int SHORTEST = 8;
    private static final int LONGEST = 30;

    private final String range;
    private final long first;
    private final int size;
    private final BitSet used = new BitSet();
    private int last;

    /**
     * Creates a pool of all addresses of a range but its first and its last.
     *
     * @param range such as {@code 10.128.0.0/9}
     */
    AddressPool(String range) {
        Matcher matcher = CIDR.matcher(range);
        if (!matcher.matches()) {
            throw refused(range);
        }
        long address = 0;
        for (int i = 1; i <= 4; i++) {
            int part = Integer.parseInt(matcher.group(i));
            if (part > 255) {
                throw refused(range);
            }
            address = (address << 8) | part;
        }
        int length = Integer.parseInt(matcher.group(5));
        if (length < SHORTEST || length > LONGEST) {
            throw refused(range);
        }
        this.range = range;
        this.size = 1 << (32 - length);
        this.first = address & -size;
        used.set(0);
        used.set(size - 1);
    }

    private static IllegalArgumentException refused(String range) {
        return new IllegalArgumentException(
                "addresses must be a range of IPv4 such as 10.128.0.0/9, with a length from " + SHORTEST + " to "
                        + LONGEST + ": " + range);
    }

    /** Returns an address that no one has. */
    Optional<String> take() {
        int next = used.nextClearBit(last + 1);
        if (next >= size) {
            next = used.nextClearBit(0);
        }
        if (next >= size) {
            return Optional.empty();
        }
        used.set(next);
        last = next;
        long address = first + next;
        return Optional.of(
                (address >> 24) + "." + ((address >> 16) & 255) + "." + ((address >> 8) & 255) + "." + (address & 255));
    }

    /** Gives an address that is already in use; returns false if it is given, or not of the range. */
    boolean reserve(String address) {
        int at = index(address);
        if (at < 0 || used.get(at)) {
            return false;
        }
        used.set(at);
        return true;
    }

    /** Takes an address back; one of another range has no effect. */
    void release(String address) {
        int at = index(address);
        if (at > 0 && at < size - 1) {
            used.clear(at);
        }
    }

    /** Returns the position of an address in the range; -1 if it is in none. */
    private int index(String address) {
        Matcher matcher = CIDR.matcher(address + "/32");
        if (!matcher.matches()) {
            return -1;
        }
        long value = 0;
        for (int i = 1; i <= 4; i++) {
            value = (value << 8) | Integer.parseInt(matcher.group(i));
        }
        long at = value - first;
        return at >= 0 && at < size ? (int) at : -1;
    }

    @Override
    public String toString() {
        return range;
    }
}
