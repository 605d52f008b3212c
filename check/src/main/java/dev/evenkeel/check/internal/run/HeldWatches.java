package dev.evenkeel.check.internal.run;

import dev.evenkeel.check.internal.api.OpenWatch;
import dev.evenkeel.check.internal.run.RunLog.Lane;
import dev.evenkeel.server.internal.resource.ApiCall;
import dev.evenkeel.simulation.internal.request.LateCaches;
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

/**
 * The open watches of a run, and what faults have done to the view that they give: those of a resource deliver nothing
 * until the controller is at rest, and lists of it may be answered as of an earlier state.
 *
 * <p>The owner guards calls by its lock.
 */
final class HeldWatches {
    private final ObservedCluster cluster;
    private final RunLog log;
    private final Set<OpenWatch> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final LateCaches late = new LateCaches();

    HeldWatches(ObservedCluster cluster, RunLog log) {
        this.cluster = cluster;
        this.log = log;
    }

    void opened(OpenWatch watch) {
        open.add(watch);
        if (late.isHeld(watch.call().resource())) {
            watch.hold();
        }
    }

    void closed(OpenWatch watch) {
        open.remove(watch);
    }

    void hold(Hold hold) {
        late.hold(hold);
        of(hold.resource()).forEach(OpenWatch::hold);
    }

    /** Answers lists of a resource as of an earlier state, and holds its watches, until the next rest. */
    void goBack(RestartBehind old) {
        late.goBack(old.resource(), cluster.revisionBefore(old.resource(), old.by()));
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
        OptionalLong old = late.revision(call.resource());
        if (old.isEmpty() || !call.verb().equals("list") || !call.permits(old.getAsLong())) {
            return OptionalLong.empty();
        }
        long revision = cluster.available(old.getAsLong());
        log.add(Lane.FAULT, call.process(), call + " is answered as of revision " + revision);
        return OptionalLong.of(revision);
    }

    boolean isAnyHeld() {
        return late.isAnyHeld();
    }

    /** Notes that the controller has been at rest again; returns true if watches were held then. */
    boolean rests() {
        return late.rests();
    }

    /** Releases the watches that are held until this rest; returns false if there are none. */
    boolean releaseDue() {
        Map<String, Boolean> ended = late.relieve(false);
        ended.forEach((resource, missing) -> {
            log.add(Lane.FAULT, 0, "the watches of " + resource + (missing ? " end" : " deliver again"));
            if (missing) {
                cluster.compact();
                of(resource).forEach(OpenWatch::cut);
            } else {
                of(resource).forEach(OpenWatch::release);
            }
        });
        return !ended.isEmpty();
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
