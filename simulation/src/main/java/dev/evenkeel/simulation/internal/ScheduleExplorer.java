package dev.evenkeel.simulation.internal;

import static dev.evenkeel.simulation.internal.Fault.ofWrite;

import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Fault.Cache;
import dev.evenkeel.simulation.internal.Fault.CacheBehind;
import dev.evenkeel.simulation.internal.Fault.Edit;
import dev.evenkeel.simulation.internal.Fault.OfObject;
import dev.evenkeel.simulation.internal.Fault.Overtake;
import dev.evenkeel.simulation.internal.Fault.Side;
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
    private static final Set<FaultKind> OF_USERS = EnumSet.of(FaultKind.DELETE, FaultKind.EDIT);

    private final ObservedRun run;
    private final Set<FaultKind> without;
    private final int edits;
    private final long seed;

    /**
     * Creates an explorer.
     *
     * @param run the run without faults
     * @param without kinds to leave out
     * @param edits number of changes that users make
     * @param seed for random choices
     */
    public ScheduleExplorer(ObservedRun run, Set<FaultKind> without, int edits, long seed) {
        this.run = run;
        this.without = Set.copyOf(without);
        this.edits = edits;
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
        Stream<Schedule> two = pairs(singles).stream().limit(pairs);
        Random random = new Random(seed);
        Stream<Schedule> several = Stream.generate(() -> several(singles, random));
        return Stream.concat(one, Stream.concat(two, several)).limit(budget);
    }

    /** Returns each fault alone, in the order of the writes. */
    private List<Fault> singles() {
        List<Fault> faults = new ArrayList<>();
        run.primaries().forEach(object -> faults.add(new Fault(FaultKind.DELETE, new OfObject(object), Side.AFTER, 0)));
        addEdits(1, Side.AFTER, 0, faults);
        after(0, faults);
        for (ObservedRun.Write write : run.writes()) {
            int n = write.number();
            Action action = write.operation().action();
            ObjectRef object = ObjectRef.of(write.operation());
            faults.add(ofWrite(FaultKind.REFUSE, Side.AT, n));
            if (!write.effective()) {
                continue;
            }
            faults.add(ofWrite(FaultKind.CRASH, Side.BEFORE, n));
            faults.add(ofWrite(FaultKind.CRASH, Side.AFTER, n));
            faults.add(ofWrite(FaultKind.LOSE_ANSWER, Side.AT, n));
            if (object.named()) {
                faults.add(ofWrite(FaultKind.CONFLICT, Side.AT, n));
                faults.add(ofWrite(FaultKind.REPEAT, Side.AT, n));
            }
            if (!action.ofStatus() && !action.deletes() && !run.primaries().contains(object)) {
                faults.add(ofWrite(FaultKind.UNDO, Side.AFTER, n));
            }
            byOthers(write, Side.BEFORE, faults);
            byOthers(write, Side.AFTER, faults);
            faults.add(ofWrite(FaultKind.RUN_AGAIN, Side.AFTER, n));
            faults.add(ofWrite(FaultKind.TELL, Side.AFTER, n));
            after(n, faults);
        }
        run.primaries().forEach(object -> faults.add(new Fault(FaultKind.HOLD, new OfObject(object), Side.AFTER, 0)));
        faults.removeIf(fault -> without.contains(fault.kind()));
        return List.copyOf(faults);
    }

    /** Adds the faults of caches and processes after a write, or before all. */
    private void after(int n, List<Fault> faults) {
        for (int reads = n == 0 ? 1 : 0; reads <= Math.min(run.reads(n), MOST_READS); reads++) {
            faults.add(new Fault(FaultKind.OVERTAKE, new Overtake(reads), Side.AFTER, n));
        }
        for (String kind : run.cached()) {
            for (int back = 1; back <= Math.min(n, FURTHEST_BACK); back++) {
                faults.add(new Fault(FaultKind.RESTART_BEHIND, new CacheBehind(kind, back), Side.AFTER, n));
            }
            faults.add(new Fault(FaultKind.LAG, new Cache(kind), Side.AFTER, n));
            faults.add(new Fault(FaultKind.MISS, new Cache(kind), Side.AFTER, n));
        }
    }

    /** Adds the actions of users and other actors next to a write. */
    private void byOthers(ObservedRun.Write write, Side side, List<Fault> faults) {
        int n = write.number();
        if (!write.deleting()) {
            run.primaries().forEach(object -> faults.add(new Fault(FaultKind.DELETE, new OfObject(object), side, n)));
            addEdits(write.edits() + 1, side, n, faults);
        }
        run.children().forEach((child, created) -> {
            if (created < n || (created == n && side == Side.AFTER)) {
                faults.add(new Fault(FaultKind.DELETE, new OfObject(child), side, n));
            }
        });
    }

    /** Adds the next change, and all changes at once. */
    private void addEdits(int next, Side side, int n, List<Fault> faults) {
        if (next <= edits) {
            faults.add(new Fault(FaultKind.EDIT, new Edit(next), side, n));
        }
        if (next < edits) {
            faults.add(new Fault(FaultKind.EDIT, new Edit(edits), side, n));
        }
    }

    /**
     * Returns pairs, the closer the sooner, and first those with one fault of a cache or another process, and one of a
     * user: then the assumptions of the process and the wanted state differ most. Pairs of equal rank are shuffled.
     */
    private List<Schedule> pairs(List<Fault> singles) {
        record Pair(Schedule schedule, int distance) {}
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
                int distance = 4 * Math.abs(second.write() - first.write()) + (belief ? 0 : 2) + (users ? 0 : 1);
                pairs.add(new Pair(Schedule.of(first, second), distance));
            }
        }
        Collections.shuffle(pairs, new Random(seed));
        pairs.sort(Comparator.comparingInt(Pair::distance));
        return pairs.stream().map(Pair::schedule).toList();
    }

    /** Returns some faults, some of them later than any write without faults. */
    private static Schedule several(List<Fault> singles, Random random) {
        List<Fault> faults = new ArrayList<>();
        int count = 2 + random.nextInt(MOST_FAULTS - 1);
        for (int i = 0; i < count; i++) {
            Fault fault = singles.get(random.nextInt(singles.size()));
            faults.add(fault.at(fault.write() == 0 ? 0 : fault.write() + random.nextInt(3)));
        }
        faults.sort(Comparator.comparingInt(Fault::write));
        return new Schedule(faults);
    }
}
