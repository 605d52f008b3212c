package dev.evenkeel.simulation.internal.request;

import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The resources whose watches are held, or whose lists are old, until everything else is at rest. Guarded by the run that
 * has it.
 */
public final class LateCaches {
    /**
     * A resource whose watches are held.
     *
     * @param missing its events are lost when it ends
     * @param rests the number of rests for which it lasts
     */
    private record Held(boolean missing, int rests) {}

    private final Map<String, Held> held = new TreeMap<>();
    private final Map<String, Long> behind = new TreeMap<>();

    /** Notes that the watches of a resource are held. */
    public void hold(Hold hold) {
        held.put(hold.resource(), new Held(hold.missing(), hold.steps()));
    }

    /** Returns true if the watches of any resource are held. */
    public boolean isAnyHeld() {
        return !held.isEmpty();
    }

    /** Returns true if the watches of a resource are held. */
    public boolean isHeld(String resource) {
        return held.containsKey(resource);
    }

    /** Notes that lists of a resource are answered as of an old revision. */
    public void goBack(String resource, long revision) {
        behind.put(resource, revision);
    }

    /** Returns the revision at which lists of a resource are answered; empty for the present one. */
    public OptionalLong revision(String resource) {
        Long revision = behind.get(resource);
        return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
    }

    /** Counts a rest; returns true if something was held at it. */
    public boolean rests() {
        boolean waiting = isAnyHeld();
        held.replaceAll((resource, hold) -> new Held(hold.missing, hold.rests - 1));
        return waiting;
    }

    /**
     * Ends what lasts until everything else is at rest.
     *
     * @param all also what lasts for several rests
     * @return the resources, and whether their events are lost
     */
    public Map<String, Boolean> relieve(boolean all) {
        Map<String, Boolean> ended = new TreeMap<>();
        held.forEach((resource, hold) -> {
            if (all || hold.rests <= 1) {
                ended.put(resource, hold.missing);
            }
        });
        held.keySet().removeAll(ended.keySet());
        behind.keySet().removeAll(ended.keySet());
        return ended;
    }
}
