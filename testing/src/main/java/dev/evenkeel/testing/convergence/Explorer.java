package dev.evenkeel.testing.convergence;

import dev.evenkeel.testing.convergence.Fault.When;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which schedules to try, the most telling first: each single fault at each place where it may matter; then two of them,
 * the closer together the sooner, for it takes a cache that is behind <em>and</em> a crash to see most mistakes about
 * caches; then several, by chance.
 */
final class Explorer {
    private static final int MOST_FAULTS = 5;
    private static final int FURTHEST_BACK = 3;
    private static final int MOST_READS = 4;
    private static final int PAIRS_KEPT = 200_000;

    private final Reference calm;
    private final Set<Disturbance> disturbances;
    private final int edits;
    private final long seed;

    Explorer(Reference calm, Set<Disturbance> disturbances, int edits, long seed) {
        this.calm = calm;
        this.disturbances = disturbances.isEmpty() ? EnumSet.noneOf(Disturbance.class) : EnumSet.copyOf(disturbances);
        this.edits = edits;
        this.seed = seed;
    }

    /** The schedules, without end unless there is nothing that could go wrong. */
    Stream<Schedule> schedules(int budget) {
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

    /** Each fault alone, in the order of the writes. */
    List<Fault> singles() {
        List<Fault> faults = new ArrayList<>();
        at(0, faults);
        for (Reference.Done write : calm.done()) {
            int n = write.number();
            faults.add(Fault.of(Disturbance.REFUSE, When.AT, n));
            if (!write.effective()) {
                continue;
            }
            faults.add(Fault.of(Disturbance.CRASH, When.BEFORE, n));
            faults.add(Fault.of(Disturbance.CRASH, When.AFTER, n));
            faults.add(Fault.of(Disturbance.LOSE_ANSWER, When.AT, n));
            if (write.write().named()) {
                faults.add(Fault.of(Disturbance.CONFLICT, When.AT, n));
                faults.add(Fault.of(Disturbance.REPEAT, When.AT, n));
            }
            if (!write.write().ofStatus() && !write.write().deletes() && !isPrimary(write)) {
                faults.add(Fault.of(Disturbance.UNDO, When.AFTER, n));
            }
            others(write, When.BEFORE, faults);
            others(write, When.AFTER, faults);
            at(n, faults);
        }
        calm.primaries().forEach(place -> faults.add(new Fault(Disturbance.HOLD, place.toString(), When.AFTER, 0)));
        faults.removeIf(fault -> !disturbances.contains(fault.what()));
        return List.copyOf(faults);
    }

    private boolean isPrimary(Reference.Done write) {
        return calm.primaries().contains(write.write().place());
    }

    /** What may happen after a write, or before all. */
    private void at(int n, List<Fault> faults) {
        if (n == 0) {
            calm.primaries().forEach(place -> faults.add(delete(place, When.AFTER, 0)));
            if (edits > 0) {
                faults.add(edit(1, When.AFTER, 0));
            }
            if (edits > 1) {
                faults.add(edit(edits, When.AFTER, 0));
            }
        } else {
            faults.add(Fault.of(Disturbance.RUN_AGAIN, When.AFTER, n));
            faults.add(Fault.of(Disturbance.TELL, When.AFTER, n));
        }
        for (int reads = n == 0 ? 1 : 0; reads <= Math.min(calm.reads(n), MOST_READS); reads++) {
            faults.add(Fault.overtake(reads, n));
        }
        for (String kind : calm.followed()) {
            for (int back = 1; back <= Math.min(n, FURTHEST_BACK); back++) {
                faults.add(Fault.restartBehind(kind, back, n));
            }
            faults.add(new Fault(Disturbance.LAG, kind, When.AFTER, n));
            faults.add(new Fault(Disturbance.MISS, kind, When.AFTER, n));
        }
    }

    /** What others may do beside a write. */
    private void others(Reference.Done write, When when, List<Fault> faults) {
        int n = write.number();
        if (!write.deleting()) {
            calm.primaries().forEach(place -> faults.add(delete(place, when, n)));
            int next = write.edits() + 1;
            if (next <= edits) {
                faults.add(edit(next, when, n));
            }
            if (next < edits) {
                faults.add(edit(edits, when, n));
            }
        }
        for (Map.Entry<Place, Integer> child : calm.children().entrySet()) {
            if (child.getValue() < n || (child.getValue() == n && when == When.AFTER)) {
                faults.add(delete(child.getKey(), when, n));
            }
        }
    }

    private static Fault delete(Place place, When when, int n) {
        return new Fault(Disturbance.DELETE, place.toString(), when, n);
    }

    private static Fault edit(int number, When when, int n) {
        return new Fault(Disturbance.EDIT, Integer.toString(number), when, n);
    }

    /**
     * Two faults, the closer the sooner, and before others those of which one is about a cache or another process, and one is a
     * user's: what is believed and what is wanted then differ most. Those of equal rank are mixed, so that all have their turn.
     */
    private List<Schedule> pairs(List<Fault> singles) {
        record Pair(Fault first, Fault second, int distance) {}
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < singles.size() && pairs.size() < PAIRS_KEPT; i++) {
            for (int j = i + 1; j < singles.size(); j++) {
                Fault first = singles.get(i);
                Fault second = singles.get(j);
                if (isOfBelief(first) && isOfBelief(second)) {
                    continue;
                }
                boolean belief = isOfBelief(first) || isOfBelief(second);
                boolean users = isOfUsers(first) || isOfUsers(second);
                int distance = 4 * Math.abs(second.write() - first.write()) + (belief ? 0 : 2) + (users ? 0 : 1);
                pairs.add(new Pair(first, second, distance));
            }
        }
        Collections.shuffle(pairs, new Random(seed));
        pairs.sort(Comparator.comparingInt(Pair::distance));
        return pairs.stream()
                .map(pair -> Schedule.of(pair.first(), pair.second()))
                .toList();
    }

    private static boolean isOfBelief(Fault fault) {
        return fault.what() == Disturbance.LAG
                || fault.what() == Disturbance.MISS
                || fault.what() == Disturbance.TELL
                || fault.what() == Disturbance.OVERTAKE
                || fault.what() == Disturbance.RESTART_BEHIND;
    }

    private static boolean isOfUsers(Fault fault) {
        return fault.what() == Disturbance.DELETE || fault.what() == Disturbance.EDIT;
    }

    /** Some faults, some of them later than anything went without faults. */
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
