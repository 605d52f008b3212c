package dev.evenkeel.testing.convergence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** What goes wrong in one trial. It has a text, by which it can be repeated: faults with semicolons between. */
record Schedule(List<Fault> faults) {
    /** Nothing. */
    static final Schedule CALM = new Schedule(List.of());

    Schedule {
        faults = List.copyOf(faults);
    }

    static Schedule of(Fault... faults) {
        return new Schedule(List.of(faults));
    }

    /** Reads what {@link #toString} writes. */
    static Schedule parse(String text) {
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

    /** Its faults of this place; a crash comes last, for nothing comes after it. */
    List<Fault> at(int write, Fault.When when) {
        if (faults.isEmpty()) {
            return List.of();
        }
        return faults.stream()
                .filter(fault -> fault.write() == write && fault.when() == when)
                .sorted(Comparator.comparing(Fault::ends))
                .toList();
    }

    @Override
    public String toString() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }
}
