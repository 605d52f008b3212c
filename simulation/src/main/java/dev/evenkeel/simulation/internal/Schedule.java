package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.fault.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The faults of one run. Its text, which repeats the run, consists of the faults, separated by semicolons. */
public record Schedule(List<Fault> faults) {
    /** A schedule without faults. */
    public static final Schedule NONE = new Schedule(List.of());

    /** Copies the list. */
    public Schedule {
        faults = List.copyOf(faults);
    }

    static Schedule of(Fault... faults) {
        return new Schedule(List.of(faults));
    }

    /**
     * Parses the text of a schedule.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Schedule parse(String text) {
        return new Schedule(Arrays.stream(text.split(";", -1))
                .filter(part -> !part.isBlank())
                .map(Fault::parse)
                .toList());
    }

    Schedule without(int index) {
        List<Fault> fewer = new ArrayList<>(faults);
        fewer.remove(index);
        return new Schedule(fewer);
    }

    Schedule with(int index, Fault fault) {
        List<Fault> other = new ArrayList<>(faults);
        other.set(index, fault);
        return new Schedule(other);
    }

    /** Returns its faults at a place; a crash comes last, since nothing follows it, and an overtaking next to last. */
    public List<Fault> at(Place place) {
        if (faults.isEmpty()) {
            return List.of();
        }
        return faults.stream()
                .filter(fault -> fault.place().equals(place))
                .sorted(Comparator.comparing(Fault::crashes).thenComparing(fault -> fault.kind() == FaultKind.OVERTAKE))
                .toList();
    }

    @Override
    public String toString() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }
}
