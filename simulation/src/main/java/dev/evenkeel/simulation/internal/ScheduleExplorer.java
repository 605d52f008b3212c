package dev.evenkeel.simulation.internal;

import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Fault.CacheBehind;
import dev.evenkeel.simulation.internal.Fault.Denial;
import dev.evenkeel.simulation.internal.Fault.Edit;
import dev.evenkeel.simulation.internal.Fault.OfKind;
import dev.evenkeel.simulation.internal.Fault.OfObject;
import dev.evenkeel.simulation.internal.Fault.Seconds;
import dev.evenkeel.simulation.internal.Place.Side;
import dev.evenkeel.simulation.internal.Place.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Enumerates the schedules to try, the most promising first: each single fault at each place where it may matter; then
 * pairs, the closer together the sooner, since most mistakes about caches need a cache that is behind <em>and</em> a
 * crash; then several at random.
 */
public final class ScheduleExplorer {
    private static final int MOST_FAULTS = 5;
    private static final int FURTHEST_BACK = 3;
    private static final int MOST_READS = 4;
    private static final int PAIRS_KEPT = 200_000;
    private static final Set<FaultKind> OF_BELIEF =
            EnumSet.of(FaultKind.LAG, FaultKind.MISS, FaultKind.TELL, FaultKind.OVERTAKE, FaultKind.RESTART_BEHIND);
    /** A denial that ends at once, and one that outlasts several attempts. */
    private static final List<Integer> DENIALS = List.of(1, 6);

    private static final List<Long> JUMPS = List.of(7_200L, -7_200L);
    private static final Set<FaultKind> OF_USERS = EnumSet.of(FaultKind.DELETE, FaultKind.EDIT);

    private final ObservedRun run;
    private final Set<FaultKind> without;
    private final int edits;
    private final boolean upgrades;
    private final long seed;

    /**
     * Creates an explorer.
     *
     * @param run the run without faults
     * @param without kinds to leave out
     * @param edits number of changes that users make
     * @param upgrades whether there is a previous version of the controllers
     * @param seed for random choices
     */
    public ScheduleExplorer(ObservedRun run, Set<FaultKind> without, int edits, boolean upgrades, long seed) {
        this.run = run;
        this.without = Set.copyOf(without);
        this.edits = edits;
        this.upgrades = upgrades;
        this.seed = seed;
    }

    /** Returns this number of schedules, or none if there is no place for a fault. */
    public Stream<Schedule> schedules(int budget) {
        List<Fault> singles = singles();
        if (singles.isEmpty()) {
            return Stream.empty();
        }
        int pairs = Math.max(0, budget - singles.size()) * 2 / 3;
        Stream<Schedule> one = singles.stream().map(Schedule::of);
        Stream<Schedule> two = pairs(singles).limit(pairs);
        Random random = new Random(seed);
        Stream<Schedule> several = Stream.generate(() -> several(singles, random));
        return Stream.concat(one, Stream.concat(two, several)).limit(budget);
    }

    /** Returns each fault alone, in the order of the writes. */
    private List<Fault> singles() {
        List<Fault> faults = new ArrayList<>();
        Place start = Place.ofWrite(Side.AFTER, 0);
        run.primaries().forEach(object -> faults.add(new Fault(FaultKind.DELETE, new OfObject(object), start)));
        addEdits(1, start, faults);
        after(0, faults);
        calls(0, faults);
        for (ObservedRun.Write write : run.writes()) {
            int n = write.number();
            write(write, faults);
            if (write.effective()) {
                after(n, faults);
            }
            calls(n, faults);
        }
        run.primaries().forEach(object -> faults.add(new Fault(FaultKind.HOLD, new OfObject(object), start)));
        jumps(faults);
        versions(faults);
        faults.removeIf(fault -> without.contains(fault.kind()));
        return List.copyOf(faults);
    }

    private void write(ObservedRun.Write write, List<Fault> faults) {
        Place before = Place.ofWrite(Side.BEFORE, write.number());
        Place at = Place.ofWrite(Side.AT, write.number());
        Place after = Place.ofWrite(Side.AFTER, write.number());
        Action action = write.operation().action();
        ObjectRef object = ObjectRef.of(write.operation());
        faults.add(Fault.of(FaultKind.REFUSE, at));
        if (!write.effective()) {
            return;
        }
        faults.add(Fault.of(FaultKind.CRASH, before));
        faults.add(Fault.of(FaultKind.CRASH, after));
        faults.add(Fault.of(FaultKind.LOSE_ANSWER, at));
        if (object.named()) {
            faults.add(Fault.of(FaultKind.CONFLICT, at));
            faults.add(Fault.of(FaultKind.REPEAT, at));
        }
        if (!action.ofStatus() && !action.deletes() && !run.primaries().contains(object)) {
            faults.add(Fault.of(FaultKind.UNDO, after));
            for (int times : DENIALS) {
                faults.add(new Fault(FaultKind.DENY, new Denial(object.kind(), times), before));
            }
        }
        for (Place side : List.of(before, after)) {
            byUsers(write.deleting(), write.edits(), side, faults);
            run.children().forEach((child, created) -> {
                if (created < write.number() || (created == write.number() && side.equals(after))) {
                    faults.add(new Fault(FaultKind.DELETE, new OfObject(child), side));
                }
            });
        }
        faults.add(Fault.of(FaultKind.RUN_AGAIN, after));
        faults.add(Fault.of(FaultKind.TELL, after));
    }

    /** Adds the faults of caches and processes after a write, or before all. */
    private void after(int n, List<Fault> faults) {
        Place after = Place.ofWrite(Side.AFTER, n);
        for (int reads = n == 0 ? 1 : 0; reads <= Math.min(run.reads(n), MOST_READS); reads++) {
            faults.add(Fault.of(FaultKind.OVERTAKE, new Place(reads, Side.AFTER, Step.WRITE, n)));
        }
        for (String kind : run.cached()) {
            for (int back = 1; back <= Math.min(n, FURTHEST_BACK); back++) {
                faults.add(new Fault(FaultKind.RESTART_BEHIND, new CacheBehind(kind, back), after));
            }
            faults.add(new Fault(FaultKind.LAG, new OfKind(kind), after));
            faults.add(new Fault(FaultKind.MISS, new OfKind(kind), after));
        }
    }

    /** Adds the faults of the calls of external systems that follow a write, or precede the first. */
    private void calls(int write, List<Fault> faults) {
        for (ObservedRun.Call call : run.calls()) {
            if (call.after() != write) {
                continue;
            }
            int n = call.number();
            faults.add(Fault.of(FaultKind.REFUSE, Place.ofCall(Side.AT, n)));
            faults.add(Fault.of(FaultKind.TIMEOUT, Place.ofCall(Side.AT, n)));
            if (call.effective()) {
                faults.add(Fault.of(FaultKind.LOSE_ANSWER, Place.ofCall(Side.AT, n)));
                faults.add(Fault.of(FaultKind.OVERTAKE, Place.ofCall(Side.BEFORE, n)));
                for (Side side : List.of(Side.BEFORE, Side.AFTER)) {
                    faults.add(Fault.of(FaultKind.CRASH, Place.ofCall(side, n)));
                    byUsers(call.deleting(), call.edits(), Place.ofCall(side, n), faults);
                }
            }
        }
    }

    /** Adds the deletions and the next changes of users. */
    private void byUsers(boolean deleting, int made, Place place, List<Fault> faults) {
        if (!deleting) {
            run.primaries().forEach(object -> faults.add(new Fault(FaultKind.DELETE, new OfObject(object), place)));
            addEdits(made + 1, place, faults);
        }
    }

    /** Adds the next change, and all changes at once. */
    private void addEdits(int next, Place place, List<Fault> faults) {
        if (next <= edits) {
            faults.add(new Fault(FaultKind.EDIT, new Edit(next), place));
        }
        if (next < edits) {
            faults.add(new Fault(FaultKind.EDIT, new Edit(edits), place));
        }
    }

    private void jumps(List<Fault> faults) {
        for (ObservedRun.Write write : run.writes()) {
            for (long seconds : JUMPS) {
                faults.add(new Fault(FaultKind.JUMP, new Seconds(seconds), Place.ofWrite(Side.AFTER, write.number())));
            }
        }
    }

    /** Adds the changes of versions, of definitions and of the controllers. */
    private void versions(List<Fault> faults) {
        for (int n = 0; n <= run.writes().size(); n++) {
            Place after = Place.ofWrite(Side.AFTER, n);
            for (String kind : run.migratable()) {
                faults.add(new Fault(FaultKind.MIGRATE, new OfKind(kind), after));
            }
            if (upgrades) {
                faults.add(Fault.of(FaultKind.DOWNGRADE, after));
                faults.add(Fault.of(FaultKind.OVERLAP, after));
            }
        }
    }

    /** Returns a number by which places of writes and calls are ordered. */
    private int position(Fault fault) {
        Place place = fault.place();
        if (place.step() == Step.WRITE) {
            return 2 * place.number();
        }
        int known = Math.min(place.number(), run.calls().size());
        return known == 0 ? 0 : 2 * run.calls().get(known - 1).after() + 1;
    }

    /**
     * Returns pairs, the closer the sooner, and first those with one fault of a cache or another process, and one of a
     * user: then the assumptions of the process and the wanted state differ most. Pairs of equal rank are shuffled.
     */
    private Stream<Schedule> pairs(List<Fault> singles) {
        record Pair(Fault first, Fault second, int distance) {}
        int[] positions = singles.stream().mapToInt(this::position).toArray();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < singles.size() && pairs.size() < PAIRS_KEPT; i++) {
            for (int j = i + 1; j < singles.size(); j++) {
                Fault first = singles.get(i);
                Fault second = singles.get(j);
                boolean firstOfBelief = OF_BELIEF.contains(first.kind());
                boolean secondOfBelief = OF_BELIEF.contains(second.kind());
                if (firstOfBelief && secondOfBelief) {
                    continue;
                }
                boolean belief = firstOfBelief || secondOfBelief;
                boolean users = OF_USERS.contains(first.kind()) || OF_USERS.contains(second.kind());
                int distance = 2 * Math.abs(positions[j] - positions[i]) + (belief ? 0 : 2) + (users ? 0 : 1);
                pairs.add(new Pair(first, second, distance));
            }
        }
        Collections.shuffle(pairs, new Random(seed));
        pairs.sort(Comparator.comparingInt(Pair::distance));
        return pairs.stream().map(pair -> Schedule.of(pair.first(), pair.second()));
    }

    /** Returns some faults, some of them later than any step without faults. */
    private Schedule several(List<Fault> singles, Random random) {
        List<Fault> faults = new ArrayList<>();
        int count = 2 + random.nextInt(MOST_FAULTS - 1);
        for (int i = 0; i < count; i++) {
            Fault fault = singles.get(random.nextInt(singles.size()));
            int number = fault.place().number();
            faults.add(fault.at(number == 0 ? 0 : number + random.nextInt(3)));
        }
        faults.sort(Comparator.comparingInt(this::position));
        return new Schedule(faults);
    }
}
