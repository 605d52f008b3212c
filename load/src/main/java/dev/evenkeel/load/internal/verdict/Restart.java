package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.number;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hipparchus.distribution.continuous.GammaDistribution;

/**
 * Judges what a controller asks of the server when it starts again although nothing has changed.
 *
 * <p>The problem: one list for each kind suffices to start. A controller that gets each object singly, or writes each status
 * again, costs as much as the cluster is large, and all controllers do it at the same time after an outage.
 */
public final class Restart {
    private static final double LEVEL = 0.95;

    private Restart() {}

    /**
     * The limits of restarts.
     *
     * @param lists the number of lists of each kind that is allowed
     * @param getsPerObject the number of gets for each watched object that is allowed
     * @param writes the number of writes that is allowed
     * @param ignored the kinds of requests that are not counted, such as leases
     */
    public record Limits(long lists, double getsPerObject, long writes, Set<String> ignored) {
        /** Two lists of each kind, one get for ten objects, no write; without leases. */
        public static final Limits DEFAULT = new Limits(2, 0.1, 0, Set.of("leases", "leases.coordination.k8s.io"));

        public Limits {
            ignored = Set.copyOf(ignored);
            if (lists < 0 || !(getsPerObject > 0) || writes < 0) {
                throw new IllegalArgumentException(
                        "lists and writes must not be negative, getsPerObject must be positive: " + lists + ", "
                                + writes + ", " + getsPerObject);
            }
        }
    }

    /** Judges restarts by the default limits. */
    public static List<Verdict> judge(List<? extends Map<String, Long>> restarts, long objects) {
        return judge(restarts, objects, Limits.DEFAULT);
    }

    /**
     * Judges restarts; one verdict each on lists, gets and writes.
     *
     * @param restarts for each restart the requests of the controller until it had converged, as those of a phase
     * @param objects the number of objects that the controller watches
     */
    public static List<Verdict> judge(List<? extends Map<String, Long>> restarts, long objects, Limits limits) {
        if (objects < 0) {
            throw new IllegalArgumentException("objects must not be negative: " + objects);
        }
        List<SortedMap<String, Long>> counted = restarts.stream()
                .map(restart -> RequestNames.without(restart, limits.ignored()))
                .toList();
        return List.of(lists(counted, limits), gets(counted, objects, limits), writes(counted, limits));
    }

    private static Verdict lists(List<SortedMap<String, Long>> restarts, Limits limits) {
        String worst = "";
        long most = 0;
        for (SortedMap<String, Long> restart : restarts) {
            SortedMap<String, Long> kinds = new TreeMap<>();
            restart.forEach((request, count) -> {
                if (RequestNames.of(request, "list")) {
                    kinds.merge(RequestNames.kind(request), count, Long::sum);
                }
            });
            for (Map.Entry<String, Long> kind : kinds.entrySet()) {
                if (kind.getValue() > most) {
                    worst = kind.getKey();
                    most = kind.getValue();
                }
            }
        }
        String finding = most == 0
                ? "The restarted controller listed nothing."
                : most > limits.lists()
                        ? "The restarted controller listed " + worst + " " + most + " times."
                        : "The restarted controller listed each kind at most " + Wording.count(most, "time", "times")
                                + ".";
        return counted("restart.lists", restarts.size(), most, limits.lists(), "lists of a kind", finding);
    }

    private static Verdict writes(List<SortedMap<String, Long>> restarts, Limits limits) {
        SortedMap<String, Long> worst = new TreeMap<>();
        for (SortedMap<String, Long> restart : restarts) {
            SortedMap<String, Long> writes = new TreeMap<>(restart);
            writes.entrySet().removeIf(entry -> !RequestNames.writes(entry.getKey()) || entry.getValue() == 0);
            if (total(writes) > total(worst)) {
                worst = writes;
            }
        }
        String finding = worst.isEmpty()
                ? "The restarted controller wrote nothing."
                : "The restarted controller wrote although nothing had changed: " + RequestNames.names(worst) + ".";
        return counted("restart.writes", restarts.size(), total(worst), limits.writes(), "writes", finding);
    }

    private static Verdict counted(String name, int restarts, long most, long limit, String unit, String finding) {
        if (restarts == 0) {
            return new Verdict(name, Outcome.OPEN, 0, limit, unit, "There was no restart.", 0, "Restart it.");
        }
        if (most > limit) {
            return new Verdict(name, Outcome.FAIL, most, limit, unit, finding, 1, "");
        }
        return new Verdict(
                name, Outcome.PASS, most, limit, unit, finding, Succession.confidence(restarts), oftener(restarts));
    }

    private static Verdict gets(List<SortedMap<String, Long>> restarts, long objects, Limits limits) {
        String name = "restart.gets";
        String unit = "gets per object";
        if (restarts.isEmpty() || objects == 0) {
            return new Verdict(
                    name,
                    Outcome.OPEN,
                    0,
                    limits.getsPerObject(),
                    unit,
                    restarts.isEmpty() ? "There was no restart." : "The controller watches no objects.",
                    0,
                    restarts.isEmpty() ? "Restart it." : "Restart it while objects exist.");
        }
        SortedMap<String, Long> gets = new TreeMap<>();
        for (SortedMap<String, Long> restart : restarts) {
            restart.forEach((request, count) -> {
                if (RequestNames.of(request, "get") && count > 0) {
                    gets.merge(request, count, Long::sum);
                }
            });
        }
        long count = total(gets);
        double perObject = (double) count / restarts.size() / objects;
        // the posterior of a Poisson rate after Jeffreys' prior
        double under = new GammaDistribution(count + 0.5, 1)
                .cumulativeProbability(limits.getsPerObject() * restarts.size() * objects);
        Outcome outcome = under >= LEVEL ? Outcome.PASS : under <= 1 - LEVEL ? Outcome.FAIL : Outcome.OPEN;
        String finding = "In " + Wording.count(restarts.size(), "restart", "restarts")
                + " the controller got single objects "
                + Wording.count(count, "time", "times") + ", " + number(perObject) + " for each of "
                + Wording.count(objects, "object", "objects")
                + (count == 0 ? "." : ": " + RequestNames.names(gets) + ".");
        return switch (outcome) {
            case FAIL -> new Verdict(name, outcome, perObject, limits.getsPerObject(), unit, finding, 1 - under, "");
            case PASS ->
                new Verdict(
                        name,
                        outcome,
                        perObject,
                        limits.getsPerObject(),
                        unit,
                        finding,
                        Math.min(under, Succession.confidence(restarts.size())),
                        oftener(restarts.size()));
            case OPEN ->
                new Verdict(
                        name,
                        outcome,
                        perObject,
                        limits.getsPerObject(),
                        unit,
                        finding,
                        Math.max(under, 1 - under),
                        "Restart it with " + Math.max(100, 2 * objects) + " objects.");
        };
    }

    private static String oftener(int restarts) {
        long missing = Succession.missing(restarts, LEVEL);
        return missing == 0 ? "" : "Restart it " + Wording.count(missing, "more time", "more times") + ".";
    }

    private static long total(Map<String, Long> requests) {
        return requests.values().stream().mapToLong(Long::longValue).sum();
    }
}
