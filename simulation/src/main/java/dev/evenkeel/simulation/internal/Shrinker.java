package dev.evenkeel.simulation.internal;

import java.util.function.Predicate;

/** Reduces a schedule that fails to fewer faults, and earlier ones. */
public final class Shrinker {
    private final Predicate<Schedule> fails;
    private int tried;

    /** Creates a shrinker of schedules that fail according to a predicate. */
    public Shrinker(Predicate<Schedule> fails) {
        this.fails = schedule -> {
            tried++;
            return fails.test(schedule);
        };
    }

    /** Returns the number of schedules it has tried. */
    public int tried() {
        return tried;
    }

    /** Returns a schedule that still fails, and that cannot be reduced further. */
    public Schedule shrink(Schedule schedule) {
        Schedule smallest = schedule;
        boolean better = true;
        while (better) {
            Schedule before = smallest;
            smallest = earlier(fewer(smallest));
            better = !smallest.equals(before);
        }
        return smallest;
    }

    private Schedule fewer(Schedule schedule) {
        Schedule smallest = schedule;
        for (int i = smallest.faults().size() - 1; i >= 0 && smallest.faults().size() > 1; i--) {
            Schedule candidate = smallest.without(i);
            if (fails.test(candidate)) {
                smallest = candidate;
            }
        }
        return smallest;
    }

    private Schedule earlier(Schedule schedule) {
        Schedule smallest = schedule;
        for (int i = 0; i < smallest.faults().size(); i++) {
            Fault fault = smallest.faults().get(i);
            for (int number = fault.place().first(); number < fault.place().number(); number++) {
                Schedule candidate = smallest.with(i, fault.at(number));
                if (fails.test(candidate)) {
                    smallest = candidate;
                    break;
                }
            }
        }
        return smallest;
    }
}
