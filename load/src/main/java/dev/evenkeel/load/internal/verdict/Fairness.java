package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.seconds;
import static dev.evenkeel.load.internal.verdict.Wording.time;

import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Judges whether quiet namespaces are served while one namespace is busy.
 *
 * <p>The problem: a controller that works through one queue makes the few changes of quiet namespaces wait behind the many
 * of a busy one, or never gets to them; an average over all namespaces hides both.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The limit is a latency, the largest of three: a multiple of the 99th percentile of the quiet namespaces at rest;
 *       a share of that of the busy namespace, because a controller that has too much to do is slow for all, but a fair
 *       one is slow for the busy namespace first; and a floor that users do not notice.
 *   <li>A namespace fails by its own latencies, or all quiet ones by theirs together, when each of them has too few. All
 *       these tests allow one false alarm in a hundred judgements: the level of each is divided by their number
 *       (Bonferroni).
 *   <li>An operation that never becomes visible fails its namespace; it has no latency that could be averaged away.
 * </ol>
 */
public final class Fairness {
    private static final double PERCENTILE = 99;
    private static final double FALSE_ALARMS = 0.01;

    private Fairness() {}

    /**
     * The limits of fairness.
     *
     * @param slowdown how many times the 99th percentile of a quiet namespace may be that at rest
     * @param share the share of that of the busy namespace which is always allowed
     * @param floor the latency that is always allowed
     * @param level the confidence from which on a judgement passes
     */
    public record Limits(double slowdown, double share, Duration floor, double level) {
        /** Ten times that at rest, half of that of the busy namespace, or 100 ms. */
        public static final Limits DEFAULT = new Limits(10, 0.5, Duration.ofMillis(100), 0.95);

        public Limits {
            if (!(slowdown >= 1) || !(share > 0)) {
                throw new IllegalArgumentException(
                        "slowdown must be at least 1 and share positive: " + slowdown + ", " + share);
            }
            if (floor.isNegative() || floor.isZero()) {
                throw new IllegalArgumentException("floor must be positive: " + floor);
            }
            if (!(level > 0.5 && level < 1)) {
                throw new IllegalArgumentException("level must be between 0.5 and 1: " + level);
            }
        }
    }

    /**
     * The latencies of a namespace from the acknowledgement to the visible effect.
     *
     * @param name the name of the namespace
     * @param rest those while all namespaces were quiet
     * @param loaded those while one namespace was busy
     * @param lost the number of operations meanwhile that never became visible
     */
    public record Namespace(String name, Latencies rest, Latencies loaded, long lost) {
        public Namespace {
            if (lost < 0) {
                throw new IllegalArgumentException("lost must not be negative: " + lost);
            }
        }
    }

    /** Judges namespaces by the default limits. */
    public static Verdict judge(Namespace busy, List<Namespace> quiet) {
        return judge(busy, quiet, Limits.DEFAULT);
    }

    /** Judges namespaces. */
    public static Verdict judge(Namespace busy, List<Namespace> quiet, Limits limits) {
        List<String> starved = quiet.stream()
                .filter(namespace -> namespace.lost() > 0)
                .map(Namespace::name)
                .sorted()
                .toList();
        if (!starved.isEmpty()) {
            return verdict(
                    Outcome.FAIL,
                    Double.POSITIVE_INFINITY,
                    seconds(limits.floor()),
                    "While " + busy.name() + " was busy, operations never became visible in " + Wording.names(starved)
                            + ".",
                    1,
                    "");
        }
        Latencies rest = together(quiet, Namespace::rest);
        Latencies loaded = together(quiet, Namespace::loaded);
        if (rest.count() == 0 || loaded.count() == 0 || busy.loaded().count() == 0) {
            return verdict(
                    Outcome.OPEN,
                    0,
                    seconds(limits.floor()),
                    "Latencies are missing: " + rest.count() + " of quiet namespaces at rest, " + loaded.count()
                            + " of them under load, " + busy.loaded().count() + " of the busy namespace.",
                    0,
                    "Measure quiet namespaces at rest and under load.");
        }
        double slowed = limits.slowdown() * seconds(rest.percentile(PERCENTILE));
        double shared = limits.share() * seconds(busy.loaded().percentile(PERCENTILE));
        double limit = Math.max(seconds(limits.floor()), Math.max(slowed, shared));
        Duration bound = Duration.ofNanos(Math.round(limit * 1e9));

        double certain = 1 - FALSE_ALARMS / (quiet.size() + 1);
        List<Namespace> slow = new ArrayList<>();
        double confidence = 0;
        for (Namespace namespace : quiet) {
            double exceeds = Tail.of(namespace.loaded(), PERCENTILE, bound).exceeds();
            if (exceeds > certain) {
                slow.add(namespace);
                confidence = Math.max(confidence, exceeds);
            }
        }
        String reference = " (the busy namespace " + busy.name() + ": "
                + time(seconds(busy.loaded().percentile(PERCENTILE))) + "; quiet namespaces at rest: "
                + time(seconds(rest.percentile(PERCENTILE))) + ").";
        if (!slow.isEmpty()) {
            double worst = slow.stream()
                    .mapToDouble(namespace -> seconds(namespace.loaded().percentile(PERCENTILE)))
                    .max()
                    .orElseThrow();
            List<String> names = slow.stream().map(Namespace::name).sorted().toList();
            return verdict(
                    Outcome.FAIL,
                    worst,
                    limit,
                    "While " + busy.name() + " was busy, 99 % of the operations in " + Wording.names(names)
                            + " became visible only within " + time(worst) + reference,
                    confidence,
                    "");
        }
        Tail tail = Tail.of(loaded, PERCENTILE, bound);
        double value = seconds(loaded.percentile(PERCENTILE));
        String finding = "While " + busy.name() + " was busy, 99 % of the operations in "
                + Wording.count(quiet.size(), "quiet namespace", "quiet namespaces") + " became visible within "
                + time(value) + reference;
        if (tail.exceeds() > certain) {
            return verdict(Outcome.FAIL, value, limit, finding, tail.exceeds(), "");
        }
        if (tail.under() >= limits.level()) {
            return verdict(Outcome.PASS, value, limit, finding, tail.under(), "");
        }
        long missing = tail.missing(limits.level());
        return verdict(
                Outcome.OPEN,
                value,
                limit,
                finding,
                Math.max(tail.under(), tail.exceeds()),
                "Make " + Wording.count(missing, "more operation", "more operations") + " in quiet namespaces.");
    }

    private static Latencies together(List<Namespace> namespaces, Function<Namespace, Latencies> which) {
        return Latencies.together(namespaces.stream().map(which).toList());
    }

    private static Verdict verdict(
            Outcome outcome, double value, double limit, String finding, double confidence, String firmer) {
        return new Verdict("fairness", outcome, value, limit, "seconds", finding, confidence, firmer);
    }
}
