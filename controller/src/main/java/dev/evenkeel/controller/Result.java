package dev.evenkeel.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The result of a reconciliation, or of a part of one: a value that says separately what happened, when to requeue, how
 * urgent that is, and whether the status is written. The result of a whole tree is what its root returns; nothing of it
 * is lost on the way.
 *
 * <h2>The problem</h2>
 *
 * <p>Each part of a tree has a result, and they must become one. When an error and a requeue time are the same thing
 * (an exception, a flag), an error discards the requeue time of another part, and stopping early looks like a failure.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>{@link #plus} is associative, and {@link #done()} is its identity: the nesting of the parts does not matter.
 *   <li>Nothing is lost: the earliest delay, every retry, the highest priority, all problems in their order.
 *   <li>{@link #severity} and {@link #problems} agree: the worst problem decides.
 *   <li>Everything worse than {@link Severity#DONE} stops a sequence.
 *   <li>Quiet and failed results are retried; durable ones are not, but the delay of another part still holds.
 * </ol>
 *
 * <h2>Effects</h2>
 *
 * <table>
 *   <caption>Results of a root</caption>
 *   <tr><th>severity</th><th>reported</th><th>reconciled again</th></tr>
 *   <tr><td>done, halted</td><td>nothing</td><td>after a change, and after its delay</td></tr>
 *   <tr><td>quiet</td><td>nothing; {@code explain} shows it</td><td>with growing delays</td></tr>
 *   <tr><td>durable</td><td>as a {@link TerminalException}</td><td>after a change, and after its delay</td></tr>
 *   <tr><td>failed</td><td>as any exception</td><td>with growing delays</td></tr>
 * </table>
 *
 * <p>With both a delay and growing delays, the shorter one counts.
 *
 * @param stops whether the following parts of a sequence are omitted
 * @param delay the time after which it is reconciled again at the latest; zero for at once, empty for no limit
 * @param retries whether it is reconciled again with growing delays
 * @param priority priority of the next reconciliation; higher comes first; empty to keep the present one
 * @param skipsStatus whether the root does not write the status this time
 * @param problems the problems, in the order in which they occurred
 */
public record Result(
        boolean stops,
        Optional<Duration> delay,
        boolean retries,
        OptionalInt priority,
        boolean skipsStatus,
        List<Problem> problems) {
    private static final Result DONE = of(false, false);
    private static final Result HALTED = of(true, false);

    /** Severities, from good to bad. */
    public enum Severity {
        /** The part is done. */
        DONE,
        /** The sequence ends here; the root continues as if all were done. */
        HALTED,
        /** A failure that is expected to pass, and is not reported. */
        QUIET,
        /** A failure that stays until something changes: reported, and not retried. */
        DURABLE,
        /** A failure that is reported and retried. */
        FAILED
    }

    /**
     * A problem.
     *
     * @param severity one of the failures
     * @param error the cause
     */
    public record Problem(Severity severity, RuntimeException error) {
        /** Refuses severities that are not failures. */
        public Problem {
            if (severity.compareTo(Severity.QUIET) < 0) {
                throw new IllegalArgumentException("severity must be QUIET, DURABLE or FAILED: " + severity);
            }
        }

        @Override
        public String toString() {
            return severity + " " + error;
        }
    }

    /** The failures of several parts; the cause is the worst one, the others are suppressed. */
    static final class SeveralFailures extends RuntimeException {
        SeveralFailures(Problem worst, List<Problem> told) {
            super(
                    told.stream().map(problem -> problem.error().toString()).collect(Collectors.joining("; ")),
                    worst.error());
            told.stream().filter(problem -> !problem.equals(worst)).forEach(problem -> addSuppressed(problem.error()));
        }
    }

    /** Copies the list; problems stop, and those that are not durable are retried. */
    public Result {
        if (delay.isPresent() && delay.get().isNegative()) {
            throw new IllegalArgumentException(
                    "delay must not be negative: " + delay.get() + "; use now() to requeue at once");
        }
        problems = List.copyOf(problems);
        stops |= !problems.isEmpty();
        retries |= problems.stream().anyMatch(problem -> problem.severity() != Severity.DURABLE);
    }

    /** Returns a result without anything to do: the identity of {@link #plus}. */
    public static Result done() {
        return DONE;
    }

    /** Requeues after a delay, at once when it is zero; a change triggers earlier. */
    public static Result after(Duration delay) {
        return DONE.within(delay);
    }

    /**
     * Requeues at once, with other waiting keys before it, and without the growing delays of failures. For work in
     * steps; a reconciler that always returns it is called without end.
     */
    public static Result now() {
        return after(Duration.ZERO);
    }

    /** Requeues with the growing delays of failures. */
    public static Result retry() {
        return of(false, true);
    }

    /** Ends the sequence without a failure. */
    public static Result halted() {
        return HALTED;
    }

    /** Returns a failure that is expected to pass: retried with growing delays, and not reported. */
    public static Result quiet(RuntimeException error) {
        return of(true, false, new Problem(Severity.QUIET, error));
    }

    /** Returns a failure that stays until something changes: reported, and not retried. */
    public static Result durable(RuntimeException error) {
        return of(true, false, new Problem(Severity.DURABLE, error));
    }

    /**
     * Returns a failure that is reported, and retried with growing delays. A {@link TerminalException} is
     * {@linkplain #durable durable}.
     */
    public static Result failed(RuntimeException error) {
        Severity severity = error instanceof TerminalException ? Severity.DURABLE : Severity.FAILED;
        return of(true, false, new Problem(severity, error));
    }

    private static Result of(boolean stops, boolean retries, Problem... problems) {
        return new Result(stops, Optional.empty(), retries, OptionalInt.empty(), false, List.of(problems));
    }

    /** Returns a copy that requeues after this time at the latest; an earlier delay stays. */
    public Result within(Duration latest) {
        Duration earliest = delay.filter(it -> it.compareTo(latest) <= 0).orElse(latest);
        return new Result(stops, Optional.of(earliest), retries, priority, skipsStatus, problems);
    }

    /** Sets the priority of the next reconciliation; the default is 0. */
    public Result priority(int value) {
        return new Result(stops, delay, retries, OptionalInt.of(value), skipsStatus, problems);
    }

    /** Returns a copy after which the root does not write the status. */
    public Result skipStatus() {
        return new Result(stops, delay, retries, priority, true, problems);
    }

    /** Returns the sum of this result and the one that followed. */
    public Result plus(Result other) {
        if (equals(DONE)) {
            return other;
        }
        if (other.equals(DONE)) {
            return this;
        }
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(other.problems);
        return new Result(
                stops || other.stops,
                Stream.of(delay, other.delay).flatMap(Optional::stream).min(Comparator.naturalOrder()),
                retries || other.retries,
                IntStream.concat(priority.stream(), other.priority.stream()).max(),
                skipsStatus || other.skipsStatus,
                all);
    }

    /** Returns the severity of the worst problem. */
    public Severity severity() {
        return worst().map(Problem::severity).orElse(stops ? Severity.HALTED : Severity.DONE);
    }

    /** Returns whether there are no problems: all is done, or the sequence ended early. */
    public boolean succeeded() {
        return problems.isEmpty();
    }

    /** Returns whether nothing is requeued before something changes. */
    public boolean settled() {
        return delay.isEmpty() && !retries;
    }

    /** Returns the first of the worst problems. */
    public Optional<Problem> worst() {
        // the later of equals is not better, and so not taken
        return problems.stream()
                .reduce((one, other) -> Comparator.comparing(Problem::severity).compare(one, other) >= 0 ? one : other);
    }

    /** Returns the reported problems as one exception; empty if there are none. */
    public Optional<RuntimeException> failure() {
        List<Problem> told = problems.stream()
                .filter(problem -> problem.severity() != Severity.QUIET)
                .toList();
        if (told.size() <= 1) {
            return told.stream().findFirst().map(Problem::error);
        }
        return worst().map(worst -> new SeveralFailures(worst, told));
    }

    /** Returns the severity, when it is requeued, and the problems. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(severity().toString());
        delay.ifPresent(time -> text.append(time.isZero() ? ", again now" : ", again after " + time));
        if (retries) {
            text.append(", retried");
        }
        priority.ifPresent(value -> text.append(", priority ").append(value));
        if (skipsStatus) {
            text.append(", status not written");
        }
        if (!problems.isEmpty()) {
            text.append(": ").append(problems);
        }
        return text.toString();
    }
}
