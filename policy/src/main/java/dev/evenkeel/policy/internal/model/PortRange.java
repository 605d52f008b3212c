package dev.evenkeel.policy.internal.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Consecutive ports.
 *
 * @param first the first port, from 1
 * @param last the last port, at most 65535 and not before the first
 */
public record PortRange(int first, int last) {
    private static final int LARGEST = 65_535;

    /** Checks the numbers. */
    public PortRange {
        if (first < 1 || last > LARGEST || first > last) {
            throw new IllegalArgumentException(
                    "ports must be from 1 to " + LARGEST + ", the first not after the last: " + first + "-" + last);
        }
    }

    /** Returns the range of one port. */
    public static PortRange of(int port) {
        return new PortRange(port, port);
    }

    /** Returns the same ports in as few ranges as possible, sorted. */
    public static List<PortRange> merge(List<PortRange> ranges) {
        if (ranges.size() < 2) {
            return List.copyOf(ranges);
        }
        List<PortRange> merged = new ArrayList<>();
        for (PortRange range : ranges.stream()
                .sorted(Comparator.comparingInt(PortRange::first))
                .toList()) {
            PortRange before = merged.isEmpty() ? null : merged.getLast();
            if (before != null && range.first <= before.last + 1) {
                merged.set(merged.size() - 1, new PortRange(before.first, Math.max(before.last, range.last)));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }

    /** Returns whether a port is in the range. */
    public boolean contains(int port) {
        return first <= port && port <= last;
    }

    /** Returns {@code 80} or {@code 80-90}. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
