package dev.evenkeel.junit;

import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The resources whose watches are held, or whose lists are old, until everything else is at rest. Guarded by the run that
 * has it.
 */
final class LateCaches {
    /**
     * A resource whose watches are held.
     *
     * @param missing its events are lost when it ends
     * @param rests the number of rests for which it lasts
     */
    private record Held(boolean missing, int rests) {}

    private final Map<String, Held> held = new TreeMap<>();
    private final Map<String, Long> behind = new TreeMap<>();
    private int changesAtHold = Integer.MAX_VALUE;

    /**
     * Notes that the watches of a resource are held.
     *
     * @param changes the number of changes until now
     */
    void hold(Hold hold, int changes) {
        held.put(hold.resource(), new Held(hold.missing(), hold.steps()));
        changesAtHold = changes;
    }

    boolean isHeld(String resource) {
        return held.containsKey(resource);
    }

    /** Notes that lists of a resource are answered as of an old revision. */
    void goBack(String resource, long revision) {
        behind.put(resource, revision);
    }

    /** Returns the revision at which lists of a resource are answered; empty for the present one. */
    OptionalLong revision(String resource) {
        Long revision = behind.get(resource);
        return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
    }

    /** Counts a rest; returns true if something was held at it. */
    boolean rests() {
        boolean waiting = !held.isEmpty();
        held.replaceAll((resource, hold) -> new Held(hold.missing, hold.rests - 1));
        return waiting;
    }

    /**
     * Ends what lasts until everything else is at rest.
     *
     * @param all also what lasts for several rests
     * @param changes the number of changes until now
     * @return the resources, and whether their events are lost
     */
    Map<String, Boolean> relieve(boolean all, int changes) {
        Map<String, Boolean> ended = new TreeMap<>();
        held.forEach((resource, hold) -> {
            if (all || hold.rests <= 1) {
                ended.put(resource, hold.missing);
            }
        });
        held.keySet().removeAll(ended.keySet());
        behind.keySet().removeAll(ended.keySet());
        changesAtHold = held.isEmpty() ? Integer.MAX_VALUE : changes;
        return ended;
    }

    /** Returns the number of changes since something was held; negative if nothing is. */
    int since(int changes) {
        return changes - changesAtHold;
    }
}
