package dev.evenkeel.check.internal.run;

import dev.evenkeel.check.internal.api.OpenWatch;
import dev.evenkeel.check.internal.run.RunLog.Lane;
import dev.evenkeel.server.internal.resource.ApiCall;
import dev.evenkeel.simulation.internal.request.PlacedFault.CutWatches;
import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import dev.evenkeel.simulation.internal.request.PlacedFault.RestartBehind;
import dev.evenkeel.testing.internal.convergence.ObservedCluster;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The open watches of a run, and what faults have done to the view that they give: those of a resource deliver nothing
 * until the controller is at rest, and lists of it may be answered as of an earlier state.
 *
 * <p>The owner guards calls by its lock.
 */
final class HeldWatches {
    /**
     * Watches that deliver nothing.
     *
     * @param missing whether they end then, and what they have missed is never delivered
     * @param rests after how many times at rest they deliver again
     */
    private record Held(boolean missing, int rests) {}

    private final ObservedCluster cluster;
    private final RunLog log;
    private final Set<OpenWatch> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Held> held = new TreeMap<>();
    private final Map<String, Long> behind = new TreeMap<>();

    HeldWatches(ObservedCluster cluster, RunLog log) {
        this.cluster = cluster;
        this.log = log;
    }

    void opened(OpenWatch watch) {
        open.add(watch);
        if (held.containsKey(watch.call().resource())) {
            watch.hold();
        }
    }

    void closed(OpenWatch watch) {
        open.remove(watch);
    }

    void hold(Hold hold) {
        held.put(hold.resource(), new Held(hold.missing(), hold.steps()));
        of(hold.resource()).forEach(OpenWatch::hold);
    }

    /** Answers lists of a resource as of an earlier state, and holds its watches, until the next rest. */
    void goBack(RestartBehind old) {
        behind.put(old.resource(), cluster.revisionBefore(old.resource(), old.by()));
        hold(new Hold(old.resource(), 1, false));
    }

    void cut(CutWatches cut) {
        if (cut.expired()) {
            cluster.compact();
        }
        List.copyOf(open).forEach(OpenWatch::cut);
    }

    /** Returns the earlier revision as of which a request is answered; empty if it is answered as it should be. */
    OptionalLong revision(ApiCall call) {
        Long old = behind.get(call.resource());
        if (old == null || !call.verb().equals("list") || !call.permits(old)) {
            return OptionalLong.empty();
        }
        long revision = cluster.available(old);
        log.add(Lane.FAULT, call.process(), call + " is answered as of revision " + revision);
        return OptionalLong.of(revision);
    }

    boolean isAnyHeld() {
        return !held.isEmpty();
    }

    /** Notes that the controller has been at rest again. */
    void rested() {
        held.replaceAll((resource, hold) -> new Held(hold.missing, hold.rests - 1));
    }

    /** Releases the watches that are held until this rest; returns false if there are none. */
    boolean releaseDue() {
        boolean released = false;
        for (Map.Entry<String, Held> one : List.copyOf(held.entrySet())) {
            Held hold = one.getValue();
            if (hold.rests > 1) {
                continue;
            }
            String resource = one.getKey();
            held.remove(resource);
            behind.remove(resource);
            released = true;
            log.add(Lane.FAULT, 0, "the watches of " + resource + (hold.missing ? " end" : " deliver again"));
            if (hold.missing) {
                cluster.compact();
                of(resource).forEach(OpenWatch::cut);
            } else {
                of(resource).forEach(OpenWatch::release);
            }
        }
        return released;
    }

    /** Releases all watches, at the end of a run. */
    void releaseAll() {
        List.copyOf(open).forEach(OpenWatch::release);
    }

    private List<OpenWatch> of(String resource) {
        return open.stream()
                .filter(watch -> watch.call().resource().equals(resource))
                .toList();
    }
}
