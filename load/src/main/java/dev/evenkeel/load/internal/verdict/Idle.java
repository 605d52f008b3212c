package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.number;
import static dev.evenkeel.load.internal.verdict.Wording.seconds;
import static dev.evenkeel.load.internal.verdict.Wording.time;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.hipparchus.distribution.continuous.GammaDistribution;

/**
 * Judges what a controller does while nothing changes: its writes, its requests and its CPU time.
 *
 * <p>A rest shows only what happens in it: a controller that writes each minute may pass ten seconds without a write. The
 * confidence that it writes nothing is the probability that a controller with one write in {@link Limits#period} on average
 * would have been seen.
 */
public final class Idle {
    private static final int RESAMPLES = 2_000;
    private static final int LEAST_SAMPLES = 5;

    private Idle() {}

    /**
     * The limits at rest.
     *
     * @param leastRest the time of rest from which on the figures can decide
     * @param writes the number of writes that is allowed
     * @param cores the CPU time that is allowed, in cores
     * @param requestsPerMinute the number of requests that is allowed in a minute
     * @param period the mean time between writes of the slowest writer that must be seen
     * @param ignored the kinds of requests that are not counted, such as leases, which are renewed at rest
     * @param level the confidence from which on a judgement passes or fails
     */
    public record Limits(
            Duration leastRest,
            long writes,
            double cores,
            double requestsPerMinute,
            Duration period,
            Set<String> ignored,
            double level) {
        /** At rest for 20 s: no write, 0.02 cores, 30 requests a minute; a writer each 10 s must be seen; without leases. */
        public static final Limits DEFAULT = new Limits(
                Duration.ofSeconds(20),
                0,
                0.02,
                30,
                Duration.ofSeconds(10),
                Set.of("leases", "leases.coordination.k8s.io"),
                0.95);

        public Limits {
            ignored = Set.copyOf(ignored);
            if (!leastRest.isPositive() || !period.isPositive()) {
                throw new IllegalArgumentException(
                        "leastRest and period must be positive: " + leastRest + ", " + period);
            }
            if (writes < 0 || !(cores > 0) || !(requestsPerMinute > 0)) {
                throw new IllegalArgumentException(
                        "writes must not be negative, cores and requestsPerMinute must be positive: " + writes + ", "
                                + cores + ", " + requestsPerMinute);
            }
            if (!(level > 0.5 && level < 1)) {
                throw new IllegalArgumentException("level must be between 0.5 and 1: " + level);
            }
        }
    }

    /** Judges a rest by the default limits. */
    public static List<Verdict> judge(Duration rest, SortedMap<String, Long> requests, double[] cores) {
        return judge(rest, requests, cores, Limits.DEFAULT);
    }

    /**
     * Judges a rest; one verdict each on writes, requests and CPU time. A controller that writes at rest has no verdict on
     * CPU time, which would be that of its writes.
     *
     * @param rest the time without changes, after the controller had converged
     * @param requests the requests of the controller meanwhile, as those of a phase
     * @param cores the CPU time meanwhile in cores, sampled at even times; empty if unknown
     */
    public static List<Verdict> judge(Duration rest, SortedMap<String, Long> requests, double[] cores, Limits limits) {
        SortedMap<String, Long> counted = RequestNames.without(requests, limits.ignored());
        Verdict writes = writes(rest, counted, limits);
        Verdict reads = requests(rest, counted, limits);
        return writes.outcome() == Outcome.FAIL
                ? List.of(writes, reads)
                : List.of(writes, reads, cpu(rest, cores, limits));
    }

    /** Returns whether a controller has written no more than it may at rest. */
    public static boolean rests(SortedMap<String, Long> requests, Limits limits) {
        return total(writes(RequestNames.without(requests, limits.ignored()), true)) <= limits.writes();
    }

    private static Map<String, Long> writes(SortedMap<String, Long> requests, boolean wanted) {
        return requests.entrySet().stream()
                .filter(entry -> RequestNames.writes(entry.getKey()) == wanted && entry.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Verdict writes(Duration rest, SortedMap<String, Long> requests, Limits limits) {
        Map<String, Long> writes = writes(requests, true);
        long count = total(writes);
        String name = "idle.writes";
        if (count > limits.writes()) {
            return new Verdict(
                    name,
                    Outcome.FAIL,
                    count,
                    limits.writes(),
                    "writes",
                    "At rest for " + time(seconds(rest)) + ", the controller wrote although nothing had changed: "
                            + RequestNames.names(writes) + ".",
                    1,
                    "");
        }
        double seen = 1 - Math.exp(-seconds(rest) / seconds(limits.period()));
        double needed = Math.max(seconds(limits.leastRest()), -Math.log(1 - limits.level()) * seconds(limits.period()));
        boolean enough = rest.compareTo(limits.leastRest()) >= 0;
        return new Verdict(
                name,
                enough ? Outcome.PASS : Outcome.OPEN,
                count,
                limits.writes(),
                "writes",
                "At rest for " + time(seconds(rest)) + ", the controller wrote "
                        + (count == 0 ? "nothing" : Wording.count(count, "time", "times")) + ".",
                seen,
                seen >= limits.level() && enough ? "" : longer(needed));
    }

    private static Verdict requests(Duration rest, SortedMap<String, Long> all, Limits limits) {
        Map<String, Long> requests = writes(all, false);
        long count = total(requests);
        double minutes = seconds(rest) / 60;
        double rate = minutes > 0 ? count / minutes : 0;
        double allowed = limits.requestsPerMinute() * minutes;
        // the posterior of a Poisson rate after Jeffreys' prior
        double under = minutes > 0 ? new GammaDistribution(count + 0.5, 1).cumulativeProbability(allowed) : 0;
        String finding = "At rest for " + time(seconds(rest)) + ", the controller made "
                + Wording.count(count, "request", "requests") + " that read" + ", " + number(rate) + " a minute"
                + (count == 0 ? "." : ": " + RequestNames.names(requests) + ".");
        boolean enough = rest.compareTo(limits.leastRest()) >= 0;
        Outcome outcome = !enough
                ? Outcome.OPEN
                : under >= limits.level() ? Outcome.PASS : under <= 1 - limits.level() ? Outcome.FAIL : Outcome.OPEN;
        double confidence = switch (outcome) {
            case PASS -> under;
            case FAIL -> 1 - under;
            case OPEN -> minutes > 0 ? Math.max(under, 1 - under) : 0;
        };
        double needed = Math.max(seconds(limits.leastRest()), 2 * seconds(rest));
        return new Verdict(
                "idle.requests",
                outcome,
                rate,
                limits.requestsPerMinute(),
                "requests per minute",
                finding,
                confidence,
                outcome == Outcome.OPEN ? longer(needed) : "");
    }

    private static Verdict cpu(Duration rest, double[] cores, Limits limits) {
        String name = "idle.cpu";
        if (rest.compareTo(limits.leastRest()) < 0 || cores.length < LEAST_SAMPLES) {
            return new Verdict(
                    name,
                    Outcome.OPEN,
                    mean(cores),
                    limits.cores(),
                    "cores",
                    Wording.count(cores.length, "sample", "samples") + " of the CPU time in a rest of "
                            + time(seconds(rest)) + " are too few to judge.",
                    0,
                    longer(Math.max(seconds(limits.leastRest()), seconds(rest))) + " Sample the CPU time at least "
                            + LEAST_SAMPLES + " times.");
        }
        Bootstrap mean = Bootstrap.ofBlocks(
                        cores, Idle::mean, Bootstrap.blockLength(cores.length), RESAMPLES, new SplittableRandom(1))
                .widened(cores.length, 1, limits.level());
        double lower = mean.lower(limits.level());
        double upper = mean.upper(limits.level());
        double under = mean.under(limits.cores());
        String finding = "At rest for " + time(seconds(rest)) + ", the controller used " + number(mean.estimate())
                + " cores; the " + number(limits.level() * 100) + " % interval is "
                + number(Math.max(0, lower)) + " to " + number(upper) + ".";
        Outcome outcome = upper < limits.cores() ? Outcome.PASS : lower > limits.cores() ? Outcome.FAIL : Outcome.OPEN;
        double confidence = switch (outcome) {
            case PASS -> under;
            case FAIL -> 1 - under;
            case OPEN -> Math.max(under, 1 - under);
        };
        // the width of the interval shrinks with the root of the time
        double ratio = (upper - lower) / 2 / Math.max(1e-9, Math.abs(mean.estimate() - limits.cores()));
        return new Verdict(
                name,
                outcome,
                mean.estimate(),
                limits.cores(),
                "cores",
                finding,
                confidence,
                outcome != Outcome.OPEN
                        ? ""
                        : ratio > 10
                                ? "The CPU time is as large as the limit; a longer rest hardly decides. Choose another limit."
                                : longer(Math.ceil(seconds(rest) * Math.max(1.5, ratio * ratio))));
    }

    private static String longer(double seconds) {
        return "Rest for " + (long) Math.ceil(seconds) + " s.";
    }

    private static long total(Map<String, Long> requests) {
        return requests.values().stream().mapToLong(Long::longValue).sum();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }
}
