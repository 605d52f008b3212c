package dev.evenkeel.simulation.internal.request;

import dev.evenkeel.simulation.internal.request.PlacedFault.Crash;
import dev.evenkeel.simulation.internal.request.PlacedFault.CutWatches;
import dev.evenkeel.simulation.internal.request.PlacedFault.Effect;
import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import dev.evenkeel.simulation.internal.request.PlacedFault.LoseAnswer;
import dev.evenkeel.simulation.internal.request.PlacedFault.Pause;
import dev.evenkeel.simulation.internal.request.PlacedFault.Refuse;
import dev.evenkeel.simulation.internal.request.PlacedFault.RestartBehind;
import dev.evenkeel.simulation.internal.request.PlacedFault.Side;
import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.RequestPlace.UserStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the schedules to try, from what a run without faults did.
 *
 * <p><b>Problem.</b> Each run takes a second or more, as a process starts in it, so the budget is hundreds of runs, and
 * not the hundreds of thousands of a checker in virtual time.
 *
 * <p>Places of interest are the requests that changed something, the reads of single objects, and the steps of the user,
 * as by Sieve (OSDI 2022): a controller that stops between two effective writes leaves an intermediate state; one that
 * sees a change late, or after a restart from a server that is behind, acts on a stale state; one that is away while two
 * changes happen does not observe the state between. So a cache is held or set back only for resources that have just
 * changed: without a difference between the caches and the server, these faults do nothing.
 *
 * <p>First come single faults, the kinds of faults in turn, so that a small budget has all kinds, and in each kind first the
 * creations; then pairs of a fault
 * of caches and a crash or a lost answer after it; then random ones.
 */
public final class SchedulePlanner {
    private static final int FURTHEST_BACK = 2;

    /**
     * The visit of a place in the run without faults.
     *
     * @param rest the number of rests before it
     * @param changed the resources that it changed; empty for a read, and for a write without an effect
     * @param write whether it is a write
     */
    public record Visit(RequestPlace place, int rest, Set<String> changed, boolean write) {
        /** Copies the set. */
        public Visit {
            changed = Set.copyOf(changed);
        }
    }

    private final List<Visit> visits;
    private final Set<String> watched;
    private final int replicas;
    private final Random random;

    /**
     * Creates a planner.
     *
     * @param visits the places of the run without faults, in their order
     * @param watched the resources that the controller watches
     */
    public SchedulePlanner(List<Visit> visits, Set<String> watched, int replicas, long seed) {
        this.visits = List.copyOf(visits);
        this.watched = Set.copyOf(watched);
        this.replicas = replicas;
        random = new Random(seed);
    }

    /** Returns schedules without an end, the most promising first; none if there is no place for a fault. */
    public Stream<FaultSchedule> schedules() {
        List<PlacedFault> singles = singles();
        if (singles.isEmpty()) {
            return Stream.empty();
        }
        List<FaultSchedule> pairs = pairs(singles);
        return Stream.concat(
                Stream.concat(singles.stream().map(FaultSchedule::of), pairs.stream()),
                Stream.generate(() -> several(singles)));
    }

    /** Returns each fault alone, one of each kind in turn. */
    private List<PlacedFault> singles() {
        Map<String, Deque<PlacedFault>> kinds = new LinkedHashMap<>();
        Set<PlacedFault> all = new LinkedHashSet<>();
        visits.forEach(visit -> {
            if (visit.place() instanceof UserStep) {
                atStep(visit, all);
            } else if (!visit.changed().isEmpty()) {
                atWrite(visit, all);
            } else if (!visit.write()) {
                add(all, new Refuse(500), Side.AT, visit);
            }
        });
        all.stream()
                .sorted(Comparator.comparingInt(SchedulePlanner::rank))
                .forEach(fault -> kinds.computeIfAbsent(kind(fault), name -> new ArrayDeque<>())
                        .add(fault));
        List<PlacedFault> ordered = new ArrayList<>();
        while (!kinds.isEmpty()) {
            kinds.values().forEach(faults -> ordered.add(faults.remove()));
            kinds.values().removeIf(Deque::isEmpty);
        }
        return ordered;
    }

    /**
     * Ranks places: an object that is created may be doubled or forgotten; a status is written again soon. Of the steps, the
     * last one is usually the deletion.
     */
    private static int rank(PlacedFault fault) {
        if (fault.place() instanceof UserStep step) {
            return -step.number();
        }
        ApiRequest request = (ApiRequest) fault.place();
        if (request.resource().contains("/")) {
            return 3;
        }
        return switch (request.verb()) {
            case "create" -> 0;
            case "delete", "apply" -> 1;
            default -> 2;
        };
    }

    private static String kind(PlacedFault fault) {
        boolean step = fault.place() instanceof UserStep;
        return fault.effect().getClass().getSimpleName()
                + fault.side()
                + step
                + switch (fault.effect()) {
                    case Hold hold -> hold.missing();
                    case Refuse refuse -> refuse.status();
                    default -> "";
                };
    }

    private void atWrite(Visit visit, Set<PlacedFault> faults) {
        add(faults, new Crash(), Side.AFTER, visit);
        changedBefore(visit).forEach(resource -> {
            for (int by = 1; by <= FURTHEST_BACK; by++) {
                add(faults, new RestartBehind(resource, by), Side.AFTER, visit);
            }
        });
        Set<String> seen = new LinkedHashSet<>(visit.changed());
        seen.retainAll(watched);
        seen.forEach(resource -> add(faults, new Hold(resource, 1, false), Side.BEFORE, visit));
        add(faults, new LoseAnswer(), Side.AT, visit);
        ApiRequest request = (ApiRequest) visit.place();
        boolean versioned = !request.verb().equals("create") && !request.verb().startsWith("delete");
        add(faults, new Refuse(versioned ? 409 : 500), Side.AT, visit);
        add(faults, new Crash(), Side.BEFORE, visit);
        seen.forEach(resource -> add(faults, new Hold(resource, 1, true), Side.BEFORE, visit));
        if (replicas > 1) {
            add(faults, new Pause(), Side.AFTER, visit);
        }
        add(faults, new Refuse(429), Side.AT, visit);
        add(faults, new CutWatches(false), Side.AFTER, visit);
        add(faults, new CutWatches(true), Side.AFTER, visit);
    }

    private void atStep(Visit visit, Set<PlacedFault> faults) {
        add(faults, new Crash(), Side.BEFORE, visit);
        add(faults, new Crash(), Side.AFTER, visit);
        Set<String> seen = new LinkedHashSet<>(visit.changed());
        seen.retainAll(watched);
        boolean last =
                visits.stream().noneMatch(other -> other.place() instanceof UserStep && other.rest() > visit.rest());
        for (String resource : seen) {
            add(faults, new Hold(resource, 1, true), Side.BEFORE, visit);
            add(faults, new Hold(resource, 1, false), Side.BEFORE, visit);
            if (!last) {
                add(faults, new Hold(resource, 2, true), Side.BEFORE, visit);
                add(faults, new Hold(resource, 2, false), Side.BEFORE, visit);
            }
            add(faults, new RestartBehind(resource, 1), Side.AFTER, visit);
        }
        add(faults, new CutWatches(false), Side.AFTER, visit);
        add(faults, new CutWatches(true), Side.AFTER, visit);
        if (replicas > 1) {
            add(faults, new Pause(), Side.AFTER, visit);
        }
    }

    /** Returns the watched resources that this place or an earlier one has changed. */
    private Set<String> changedBefore(Visit visit) {
        Set<String> changed = new LinkedHashSet<>();
        for (Visit one : visits) {
            changed.addAll(one.changed());
            if (one.equals(visit)) {
                break;
            }
        }
        changed.retainAll(watched);
        return changed;
    }

    private static void add(Set<PlacedFault> faults, Effect effect, Side side, Visit visit) {
        faults.add(new PlacedFault(effect, side, visit.place()));
    }

    /** Returns a fault of caches, with a crash, a lost answer or a refusal at a later place, the closest first. */
    private List<FaultSchedule> pairs(List<PlacedFault> singles) {
        record Pair(FaultSchedule schedule, int distance) {}
        List<Pair> pairs = new ArrayList<>();
        for (PlacedFault first : singles) {
            boolean caches = first.effect() instanceof Hold || first.effect() instanceof RestartBehind;
            for (PlacedFault second : singles) {
                int distance = index(second) - index(first);
                boolean follows = second.effect() instanceof Crash
                        || second.effect() instanceof LoseAnswer
                        || second.effect() instanceof Refuse;
                if (caches && follows && distance >= 0) {
                    pairs.add(new Pair(FaultSchedule.of(first, second), distance));
                }
            }
        }
        Collections.shuffle(pairs, random);
        pairs.sort(Comparator.comparingInt(Pair::distance));
        return pairs.stream().map(Pair::schedule).toList();
    }

    private int index(PlacedFault fault) {
        for (int i = 0; i < visits.size(); i++) {
            if (visits.get(i).place().equals(fault.place())) {
                return i;
            }
        }
        return visits.size();
    }

    /** Returns two or three faults, also at requests that only faults cause. */
    private FaultSchedule several(List<PlacedFault> singles) {
        List<PlacedFault> faults = new ArrayList<>();
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            PlacedFault fault = singles.get(random.nextInt(singles.size()));
            boolean later = i > 0 && random.nextInt(3) == 0;
            RequestPlace place = later && fault.place() instanceof ApiRequest request
                    ? new ApiRequest(request.verb(), request.resource(), request.key(), request.number() + 1)
                    : fault.place();
            PlacedFault placed = new PlacedFault(fault.effect(), fault.side(), place);
            if (!faults.contains(placed)) {
                faults.add(placed);
            }
        }
        faults.sort(Comparator.comparingInt(this::index));
        return new FaultSchedule(faults);
    }
}
