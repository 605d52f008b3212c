package dev.evenkeel.junit;

import dev.evenkeel.junit.internal.RequestTap;
import dev.evenkeel.junit.internal.TappedWatch;
import dev.evenkeel.server.internal.resource.ApiCall;
import dev.evenkeel.simulation.internal.request.FaultSchedule;
import dev.evenkeel.simulation.internal.request.LateCaches;
import dev.evenkeel.simulation.internal.request.PlacedFault;
import dev.evenkeel.simulation.internal.request.PlacedFault.Crash;
import dev.evenkeel.simulation.internal.request.PlacedFault.CutWatches;
import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import dev.evenkeel.simulation.internal.request.PlacedFault.LoseAnswer;
import dev.evenkeel.simulation.internal.request.PlacedFault.Refuse;
import dev.evenkeel.simulation.internal.request.PlacedFault.RestartBehind;
import dev.evenkeel.simulation.internal.request.PlacedFault.Side;
import dev.evenkeel.simulation.internal.request.RequestPlace;
import dev.evenkeel.simulation.internal.request.RequestPlace.UserStep;
import dev.evenkeel.simulation.internal.request.SchedulePlanner.Visit;
import dev.evenkeel.testing.internal.convergence.ClusterState;
import dev.evenkeel.testing.internal.convergence.ObservedCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of operators of JOSDK: a fork of the prepared cluster, the steps of the user, and the faults of a schedule.
 *
 * <p><b>Problem.</b> JOSDK has threads of its own, so a run is not repeated step by step. But requests have names that are
 * the same in all runs, and {@link JosdkOperator} knows when an operator is at rest and runs its retries in virtual
 * time: so faults are placed at requests and steps, and states are compared at rests.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A fault strikes once.
 *   <li>An operator that has crashed changes nothing any more: its requests are refused. A new one starts when its
 *       threads have ended.
 *   <li>Watches that are held are released when everything else is at rest, and the state is compared only after that.
 * </ol>
 *
 * <p><b>Concurrency.</b> The run has one thread, which starts operators and waits for them; requests have others. The state
 * is guarded by this object, which the run does not hold while it waits.
 */
final class JosdkRun {
    private static final int MOST_STARTS = 12;
    private static final int MOST_CHANGES = 300;
    private static final int CHANGES_BEHIND = 50;
    private static final int ADVANCES_WITHOUT_CHANGES = 30;
    private static final int MOST_LINES = 60;

    /**
     * The outcome of a run.
     *
     * @param states the state at each rest
     * @param visits the places, in their order
     * @param kinds the kinds that the operator reconciles
     * @param missed the faults that did not strike
     */
    record Outcome(
            List<ClusterState> states,
            List<Visit> visits,
            Set<String> watched,
            Set<String> kinds,
            List<PlacedFault> missed,
            Optional<Problem> problem,
            List<String> steps) {
        /** Returns this outcome with a problem. */
        Outcome problem(Problem found) {
            return new Outcome(states, visits, watched, kinds, missed, Optional.of(found), steps);
        }
    }

    /** A problem, in one line and its details. */
    record Problem(String title, List<String> lines) {}

    private final JosdkCheckSpec spec;
    private final FaultSchedule schedule;
    private final Optional<Outcome> calm;
    private final EngineCluster cluster;
    private final KubernetesClient user;
    private final ObservedCluster observed;

    private final RequestNames names = new RequestNames();
    private final IdentityHashMap<ApiCall, RequestPlace> places = new IdentityHashMap<>();
    private final Set<PlacedFault> struck = new LinkedHashSet<>();
    private final List<Visit> visits = new ArrayList<>();
    private final Set<String> watched = new TreeSet<>();
    private final LateCaches late = new LateCaches();
    private final List<ClusterState> states = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    private Set<String> kinds = Set.of();
    private Optional<Problem> problem = Optional.empty();
    private @Nullable RunningOperator process;
    private Duration elapsed = Duration.ZERO;
    private int starts;
    private int changesSeen;
    private int changesAtRest;
    /** The number of changes when watches were held; greater than any if none are. */
    private int changesAtHold = Integer.MAX_VALUE;

    private JosdkRun(JosdkCheckSpec spec, EngineCluster cluster, FaultSchedule schedule, Optional<Outcome> calm) {
        this.spec = spec;
        this.cluster = cluster;
        this.schedule = schedule;
        this.calm = calm;
        user = cluster.kubernetesClient();
        observed = new ObservedCluster(cluster.engine());
    }

    /**
     * Makes a run.
     *
     * @param calm the run without faults, with whose states those of this run are compared; empty for that run itself
     */
    static Outcome make(
            JosdkCheckSpec spec, EngineCluster.Builder clusters, FaultSchedule schedule, Optional<Outcome> calm) {
        try (EngineCluster cluster = clusters.start()) {
            JosdkRun run = new JosdkRun(spec, cluster, schedule, calm);
            try {
                run.perform();
            } finally {
                run.stop();
                run.observed.close();
            }
            return run.outcome();
        }
    }

    private synchronized Outcome outcome() {
        List<PlacedFault> missed = schedule.faults().stream()
                .filter(fault -> !struck.contains(fault))
                .toList();
        return new Outcome(
                List.copyOf(states),
                List.copyOf(visits),
                Set.copyOf(watched),
                kinds,
                missed,
                problem,
                List.copyOf(steps));
    }

    private void perform() {
        ClusterState before = observed.state(spec.ignored);
        boot();
        rest();
        for (int i = 0; i < spec.edits.size() && !failed(); i++) {
            JosdkCheckSpec.Edit edit = spec.edits.get(i);
            step(i + 1, edit.what(), () -> edit.edit().accept(user));
        }
        if (calm.isEmpty() && !failed()) {
            startAgain();
        }
        if (!failed()) {
            deleteReconciled(before);
        }
    }

    /** Deletes the reconciled objects: of several of a kind first one alone, which must not harm the others. */
    private void deleteReconciled(ClusterState before) {
        RunningOperator running = process;
        kinds = running == null ? Set.of() : running.kinds();
        List<HasMetadata> first = spec.severalOf(kinds);
        List<HasMetadata> others = spec.givenOf(kinds).stream()
                .filter(object -> !first.contains(object))
                .toList();
        int number = spec.edits.size() + 1;
        if (!first.isEmpty()) {
            step(number, "deletes one of several objects", () -> first.forEach(this::delete));
            number++;
        }
        if (!others.isEmpty() && !failed()) {
            step(number, "deletes the reconciled objects", () -> others.forEach(this::delete));
            if (!failed()) {
                nothingLeft(before);
            }
        }
    }

    private void step(int number, String what, Runnable effect) {
        UserStep step = new UserStep(number);
        synchronized (this) {
            for (PlacedFault fault : schedule.at(step, Side.BEFORE)) {
                strike(fault);
                switch (fault.effect()) {
                    case Hold hold -> hold(hold);
                    case Crash crash -> crash();
                    default -> cut(fault);
                }
            }
        }
        int before = observed.changes().size();
        line("the user: " + what);
        effect.run();
        synchronized (this) {
            List<ObservedCluster.Change> changes = observed.changes();
            Set<String> changed = changes.subList(before, changes.size()).stream()
                    .map(ObservedCluster.Change::resource)
                    .collect(Collectors.toSet());
            visits.add(new Visit(step, states.size(), changed, true));
            for (PlacedFault fault : schedule.at(step, Side.AFTER)) {
                strike(fault);
                switch (fault.effect()) {
                    case Crash crash -> crash();
                    case RestartBehind old -> {
                        goBack(old);
                        crash();
                    }
                    default -> cut(fault);
                }
            }
        }
        rest();
    }

    private void startAgain() {
        int before = observed.changes().size();
        synchronized (this) {
            line("the operator starts again, for no reason");
            crash();
        }
        settle();
        List<String> written = observed.changes().stream()
                .skip(before)
                .map(change -> change.resource() + " " + change.key())
                .filter(change -> !change.contains("leases."))
                .distinct()
                .limit(5)
                .toList();
        if (!written.isEmpty()) {
            fail("it writes after a restart although nothing has changed", written);
        }
    }

    private void delete(HasMetadata object) {
        var unused = user.resource(object).delete();
    }

    private void nothingLeft(ClusterState before) {
        Set<String> left = new TreeSet<>(states.getLast().objects().keySet());
        left.removeAll(before.objects().keySet());
        left.removeIf(name -> spec.outlives.contains(name.substring(0, name.indexOf(' '))));
        if (!left.isEmpty()) {
            fail(
                    "after the deletion of the reconciled objects something is left",
                    left.stream().limit(10).toList());
        }
    }

    /** Ends the run with a problem, unless it has one. */
    void fail(String title, List<String> lines) {
        synchronized (this) {
            if (problem.isEmpty()) {
                problem = Optional.of(new Problem(title, lines));
            }
        }
    }

    private synchronized boolean failed() {
        return problem.isPresent();
    }

    private synchronized void line(String text) {
        if (steps.size() == MOST_LINES) {
            steps.removeFirst();
        }
        steps.add(text);
    }

    private void strike(PlacedFault fault) {
        struck.add(fault);
        line("  fault: " + fault + ": " + fault.description());
    }

    // operators

    private void boot() {
        if (starts == MOST_STARTS) {
            fail("the operator was started too often", List.of());
            return;
        }
        starts++;
        line("the operator starts");
        RunningOperator next = new RunningOperator(this, spec, cluster);
        process = next;
        next.start();
    }

    private void stop() {
        RunningOperator running = process;
        if (running != null) {
            running.stop();
            process = null;
        }
    }

    private void crash() {
        RunningOperator running = process;
        if (running != null) {
            running.crash();
        }
    }

    // watches

    private void hold(Hold hold) {
        late.hold(hold);
        changesAtHold = observed.changes().size();
        watches(hold.resource()).forEach(TappedWatch::hold);
    }

    private List<TappedWatch> watches(String resource) {
        RunningOperator running = process;
        return running == null ? List.of() : running.watches(resource);
    }

    private void goBack(RestartBehind old) {
        late.goBack(old.resource(), observed.revisionBefore(old.resource(), old.by()));
        hold(new Hold(old.resource(), 1, false));
    }

    private void cut(PlacedFault fault) {
        RunningOperator running = process;
        if (fault.effect() instanceof CutWatches cut && running != null) {
            if (cut.expired()) {
                observed.compact();
            }
            running.cut(running.watches());
        }
    }

    /**
     * Ends what lasts until everything else is at rest; returns false if there is nothing of that.
     *
     * @param all also what lasts for several rests
     */
    private synchronized boolean relieve(boolean all) {
        RunningOperator running = process;
        if (running == null) {
            return false;
        }
        Map<String, Boolean> ended = late.relieve(all);
        changesAtHold = late.isAnyHeld() ? observed.changes().size() : Integer.MAX_VALUE;
        ended.forEach((resource, missing) -> {
            line("the watches of " + resource + (missing ? " end" : " deliver again"));
            List<TappedWatch> concerned = watches(resource);
            if (missing) {
                observed.compact();
                running.cut(concerned);
            } else {
                running.release(concerned);
            }
        });
        return !ended.isEmpty();
    }

    // rest

    /** Waits until the operator is at rest, and compares the state with that of the run without faults. */
    private void rest() {
        settle();
        ClusterState state = observed.state(spec.ignored);
        synchronized (this) {
            Optional<ClusterState> expected = calm.filter(one -> one.states().size() > states.size())
                    .map(one -> one.states().get(states.size()));
            states.add(state);
            boolean waiting = late.rests();
            line("at rest");
            if (!waiting && expected.isPresent()) {
                List<String> lines = ClusterState.differences(expected.get(), state, spec.names());
                if (!lines.isEmpty()) {
                    fail("at rest the state differs from the run without faults", lines);
                }
            }
        }
    }

    private void settle() {
        changesAtRest = observed.changes().size();
        int changes = changesAtRest;
        Duration lastChange = elapsed;
        int advances = 0;
        while (!failed()) {
            RunningOperator running = process;
            if (running == null || running.isDead()) {
                stop();
                boot();
                continue;
            }
            if (!running.settle() || relieve(false)) {
                continue;
            }
            if (observed.changes().size() > changes) {
                changes = observed.changes().size();
                lastChange = elapsed;
                advances = 0;
            }
            Optional<Duration> next = running.next();
            if (next.isEmpty()
                    || advances == ADVANCES_WITHOUT_CHANGES
                    || elapsed.plus(next.get()).minus(lastChange).compareTo(spec.patience) > 0) {
                return;
            }
            elapsed = elapsed.plus(next.get());
            advances++;
            running.advance(next.get());
        }
    }

    // requests, with the lock of this object

    /** Notes that a watch has begun. */
    void opened(TappedWatch watch) {
        watched.add(watch.call().resource());
        if (late.isHeld(watch.call().resource())) {
            watch.hold();
        }
    }

    /** Returns the old revision at which a list is answered; empty for the present state. */
    OptionalLong revision(ApiCall call) {
        OptionalLong old = late.revision(call.resource());
        if (old.isEmpty() || !call.verb().equals("list") || !call.permits(old.getAsLong())) {
            return OptionalLong.empty();
        }
        long revision = observed.available(old.getAsLong());
        line("  " + call + " is answered as of revision " + revision);
        return OptionalLong.of(revision);
    }

    /** Decides about a request before it is done. */
    RequestTap.Decision arrived(ApiCall call) {
        if (call.verb().equals("watch") || call.verb().equals("list") || call.dryRun()) {
            return RequestTap.Decision.PASS;
        }
        RequestPlace place = names.place(call);
        places.put(call, place);
        for (PlacedFault fault : schedule.at(place, Side.BEFORE)) {
            strike(fault);
            switch (fault.effect()) {
                case Hold hold -> hold(hold);
                case Crash crash -> {
                    crash();
                    return RequestTap.Decision.DROP;
                }
                default -> cut(fault);
            }
        }
        for (PlacedFault fault : schedule.at(place, Side.AT)) {
            if (fault.effect() instanceof Refuse refuse) {
                strike(fault);
                line("  " + call + ": " + refuse.status());
                return new RequestTap.Refuse(RequestFault.status(refuse.status(), "refused by the check"));
            }
        }
        return RequestTap.Decision.PASS;
    }

    /** Decides about the answer to a request. */
    RequestTap.Decision answered(ApiCall call, int status) {
        RequestPlace place = places.remove(call);
        if (place == null) {
            return RequestTap.Decision.PASS;
        }
        if (call.reads()) {
            visits.add(new Visit(place, states.size(), Set.of(), false));
            return RequestTap.Decision.PASS;
        }
        line("  " + call + ": " + status);
        if (status >= 300) {
            return RequestTap.Decision.PASS;
        }
        visits.add(new Visit(place, states.size(), changed(call), true));
        return after(place);
    }

    private RequestTap.Decision after(RequestPlace place) {
        RequestTap.Decision decision = RequestTap.Decision.PASS;
        for (PlacedFault fault : schedule.at(place, Side.AT)) {
            if (fault.effect() instanceof LoseAnswer) {
                strike(fault);
                decision = RequestTap.Decision.DROP;
            }
        }
        for (PlacedFault fault : schedule.at(place, Side.AFTER)) {
            strike(fault);
            switch (fault.effect()) {
                case Crash crash -> {
                    crash();
                    decision = RequestTap.Decision.DROP;
                }
                case RestartBehind old -> {
                    goBack(old);
                    crash();
                    decision = RequestTap.Decision.DROP;
                }
                case Hold hold -> hold(hold);
                default -> cut(fault);
            }
        }
        return decision;
    }

    /** Returns the resource of a write if it has changed its object, and checks what must always hold. */
    private Set<String> changed(ApiCall call) {
        List<ObservedCluster.Change> changes = observed.changes();
        String name = RequestNames.name(call);
        Set<String> resources = new TreeSet<>();
        for (ObservedCluster.Change change : changes.subList(changesSeen, changes.size())) {
            boolean own = change.resource().equals(call.resource())
                    && (name.endsWith("*") || name.equals(change.key().name()));
            if (own) {
                resources.add(call.resource());
                if (call.verb().equals("create") && name.endsWith("*")) {
                    names.generated(change.key().name(), name);
                }
            }
        }
        changesSeen = changes.size();
        if (!resources.isEmpty()) {
            for (JosdkCheckSpec.Always rule : spec.always) {
                if (!rule.holds().test(user)) {
                    fail("does not always hold: " + rule.what(), List.of("after " + call));
                }
            }
            if (changesSeen - changesAtHold > CHANGES_BEHIND) {
                // no cache is late indefinitely
                var unused = relieve(true);
            }
            if (changesSeen - changesAtRest > MOST_CHANGES) {
                fail(
                        "it does not settle: there were " + MOST_CHANGES + " changes",
                        steps.subList(Math.max(0, steps.size() - 5), steps.size()).stream()
                                .map(String::strip)
                                .toList());
                crash();
            }
        }
        return resources;
    }
}
