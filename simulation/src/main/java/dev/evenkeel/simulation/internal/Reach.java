package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.internal.Fault.CacheBehind;
import java.util.Map;

/**
 * The end of a run, by the numbers of its steps.
 *
 * @param writes number of its writes
 * @param calls number of its calls of external systems
 * @param readsAfter number of reads after a write and before the next, by its number
 */
public record Reach(int writes, int calls, Map<Integer, Integer> readsAfter) {
    /** Copies the map. */
    public Reach {
        readsAfter = Map.copyOf(readsAfter);
    }

    /** Returns whether the run came to the place of a fault, or to one before it where the fault begins. */
    public boolean includes(Fault fault) {
        Place place = fault.place();
        return switch (place.step()) {
            case CALL -> place.number() <= calls;
            case WRITE -> first(fault) <= writes && place.reads() <= readsAfter.getOrDefault(place.number(), 0);
        };
    }

    /** Returns the first write of which a fault takes notice. */
    private static int first(Fault fault) {
        int number = fault.place().number();
        return fault.subject() instanceof CacheBehind behind ? Math.min(number, fault.since(behind)) : number;
    }
}
