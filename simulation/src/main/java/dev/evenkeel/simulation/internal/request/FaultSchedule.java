package dev.evenkeel.simulation.internal.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The faults of one run. Its text, which repeats the run, consists of the faults, separated by semicolons. */
public record FaultSchedule(List<PlacedFault> faults) {
    /** A schedule without faults. */
    public static final FaultSchedule NONE = new FaultSchedule(List.of());

    /** Copies the list. */
    public FaultSchedule {
        faults = List.copyOf(faults);
    }

    static FaultSchedule of(PlacedFault... faults) {
        return new FaultSchedule(List.of(faults));
    }

    /**
     * Parses the text of a schedule.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static FaultSchedule parse(String text) {
        FaultSchedule parsed = new FaultSchedule(Arrays.stream(text.split(";", -1))
                .filter(part -> !part.isBlank())
                .map(PlacedFault::parse)
                .toList());
        if (parsed.faults.isEmpty()) {
            throw new IllegalArgumentException("a schedule needs at least one fault");
        }
        return parsed;
    }

    /** Returns its faults at one side of a place; a crash comes last, since nothing follows it. */
    public List<PlacedFault> at(RequestPlace place, PlacedFault.Side side) {
        if (faults.isEmpty()) {
            return List.of();
        }
        return faults.stream()
                .filter(fault -> fault.side() == side && fault.place().equals(place))
                .sorted(Comparator.comparing(PlacedFault::crashes))
                .toList();
    }

    /** Returns a schedule of fewer of these faults that still fails; this one if there is none. */
    public FaultSchedule shrink(Predicate<FaultSchedule> fails) {
        FaultSchedule smallest = this;
        for (int i = faults.size() - 1; i >= 0 && smallest.faults.size() > 1; i--) {
            List<PlacedFault> fewer = new ArrayList<>(smallest.faults);
            fewer.remove(i);
            FaultSchedule candidate = new FaultSchedule(fewer);
            if (fails.test(candidate)) {
                smallest = candidate;
            }
        }
        return smallest;
    }

    @Override
    public String toString() {
        return faults.stream().map(PlacedFault::toString).collect(Collectors.joining("; "));
    }
}
