package dev.evenkeel.policy.internal.model;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A choice of ports: by number, or by the name that the endpoint gives to a port.
 *
 * @param names the names, in the order of the rule
 * @param ranges the numbers
 */
public record Ports(List<String> names, List<PortRange> ranges) {
    /** No port: as a condition of a rule, it is not there. */
    public static final Ports NONE = new Ports(List.of(), List.of());

    /** Copies the lists; merges the ranges. */
    public Ports {
        names = names.isEmpty() ? List.of() : names.stream().distinct().toList();
        ranges = PortRange.merge(ranges);
    }

    /** Returns whether there are no ports. */
    public boolean isEmpty() {
        return names.isEmpty() && ranges.isEmpty();
    }

    @Override
    public String toString() {
        return Stream.concat(names.stream(), ranges.stream().map(PortRange::toString))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
