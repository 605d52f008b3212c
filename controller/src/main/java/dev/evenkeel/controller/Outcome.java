package dev.evenkeel.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The outcome of a part of a reconciliation: a value that states separately what happened, when to requeue, how urgent
 * that is, and whether the status is to be written. It is a {@link Result}, so a root returns the whole tree's outcome,
 * without loss of information.
 *
 * <h2>The problem</h2>
 *
 * <p>The outcomes of all parts of a tree must be combined into one. When what happened and when to requeue are one
 * thing (an exception, a flag), an error hides the delay that another part requested, and stopping early looks like
 * failing.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>{@link #plus} is associative, and {@link #done()} is its identity: how the parts are nested does not matter.
 *   <li>Nothing is lost: the earliest delay, every requested retry, the highest priority, all problems in their order.
 *   <li>{@link #severity} and {@link #problems} are consistent: each problem has the severity it was created with, and
 *       the worst decides.
 *   <li>Whatever is worse than {@link Severity#DONE} stops a sequence.
 *   <li>A quiet or failed outcome is retried; a durable one is not by itself, but a delay requested with it holds.
 * </ol>
 *
 * <h2>The effects</h2>
 *
 * <table>
 *   <caption>Outcomes of a root</caption>
 *   <tr><th>severity</th><th>reported</th><th>requeued</th></tr>
 *   <tr><td>done, halted</td><td>nothing</td><td>on a change, and as requested</td></tr>
 *   <tr><td>quiet</td><td>nothing; {@code explain} shows it</td><td>with growing delays</td></tr>
 *   <tr><td>durable</td><td>as a {@link TerminalException}</td><td>on a change, and as requested</td></tr>
 *   <tr><td>failed</td><td>as any exception</td><td>with growing delays</td></tr>
 * </table>
 *
 * <p>Of a requested delay and a growing one the shorter counts.
 *
 * @param stops whether the remaining parts of a sequence are skipped
 * @param delay time after which it is reconciled again at the latest; empty for no such limit
 * @param retries whether it is retried with growing delays
 * @param priority priority of the next reconciliation, if requested here; higher comes first; empty for the present one
 * @param skipsStatus whether the root must not write the status this time
 * @param problems problems, in the order of their occurrence
 */
public record Outcome(
        boolean stops,
        Optional<Duration> delay,
        boolean retries,
        OptionalInt priority,
        boolean skipsStatus,
        List<Problem> problems)
        implements Result {
    private static final Outcome DONE =
            new Outcome(false, Optional.empty(), false, OptionalInt.empty(), false, List.of());
    private static final Outcome HALTED =
            new Outcome(true, Optional.empty(), false, OptionalInt.empty(), false, List.of());

    /** The severities, from good to bad. */
    public enum Severity {
        /** The part is done. */
        DONE,
        /** The sequence ends here; the root continues as if all were done. */
        HALTED,
        /** A failure that is expected to pass, which is retried and not reported. */
        QUIET,
        /** A failure that persists until something changes: it is reported and not retried. */
        DURABLE,
        /** A failure that is reported and retried. */
        FAILED
    }

    /**
     * A failure.
     *
     * @param severity severity, worse than {@link Severity#HALTED}
     * @param error exception
     */
    public record Problem(Severity severity, RuntimeException error) {
        /** Refuses a severity that is not a failure. */
        public Problem {
            if (severity.compareTo(Severity.QUIET) < 0) {
                throw new IllegalArgumentException(
                        "severity: a problem is QUIET, DURABLE or FAILED, and not " + severity);
            }
        }

        @Override
        public String toString() {
            return severity + " " + error;
        }
    }

    /** The failures of several parts; the cause is the decisive one, the rest are suppressed. */
    static final class SeveralFailures extends RuntimeException {
        private static final long serialVersionUID = 1;

        SeveralFailures(Problem worst, List<Problem> told) {
            super(
                    told.stream().map(problem -> problem.error().toString()).collect(Collectors.joining("; ")),
                    worst.error());
            told.stream().filter(problem -> !problem.equals(worst)).forEach(problem -> addSuppressed(problem.error()));
        }
    }

    /** Copies the list, and derives whether to stop and to retry from it. */
    public Outcome {
        if (delay.isPresent() && !delay.get().isPositive()) {
            throw new IllegalArgumentException("delay must be positive, and is " + delay.get() + ": use retry()");
        }
        problems = List.copyOf(problems);
        stops |= !problems.isEmpty();
        retries |= problems.stream().anyMatch(problem -> problem.severity() != Severity.DURABLE);
    }

    /** Returns the outcome of a part that is done: the identity of {@link #plus}. */
    public static Outcome done() {
        return DONE;
    }

    /** Returns the outcome of a part that is done, and is reconciled again after a delay or a change. */
    public static Outcome after(Duration delay) {
        return DONE.within(delay);
    }

    /** Returns the outcome of a part that is done so far, and is retried with the growing delays of failures. */
    public static Outcome retry() {
        return new Outcome(false, Optional.empty(), true, OptionalInt.empty(), false, List.of());
    }

    /** Returns the outcome of a part that ends the sequence without a failure. */
    public static Outcome halted() {
        return HALTED;
    }

    /** Returns a failure that is expected to pass: it is retried with growing delays, and not reported. */
    public static Outcome quiet(RuntimeException error) {
        return of(Severity.QUIET, error);
    }

    /** Returns a failure that persists until something changes: it is reported, and not retried. */
    public static Outcome durable(RuntimeException error) {
        return of(Severity.DURABLE, error);
    }

    /**
     * Returns a failure that is reported and retried with growing delays. With a {@link TerminalException} it is
     * {@linkplain #durable durable}.
     */
    public static Outcome failed(RuntimeException error) {
        return of(error instanceof TerminalException ? Severity.DURABLE : Severity.FAILED, error);
    }

    private static Outcome of(Severity severity, RuntimeException error) {
        return new Outcome(
                true, Optional.empty(), false, OptionalInt.empty(), false, List.of(new Problem(severity, error)));
    }

    /** Returns the result of a reconciler as an outcome. */
    public static Outcome of(Result result) {
        return switch (result) {
            case Outcome outcome -> outcome;
            case Result.Done unused -> done();
            case Result.After(Duration delay) -> after(delay);
            case Result.Retry unused -> retry();
        };
    }

    /** Returns a copy that is reconciled again after this time at the latest; an earlier delay stays. */
    public Outcome within(Duration latest) {
        Duration earliest =
                delay.filter(present -> present.compareTo(latest) <= 0).orElse(latest);
        return new Outcome(stops, Optional.of(earliest), retries, priority, skipsStatus, problems);
    }

    /**
     * Returns a copy with this priority of the next reconciliation; see
     * {@link dev.evenkeel.controller.internal.queue.Priority}.
     */
    public Outcome withPriority(int value) {
        return new Outcome(stops, delay, retries, OptionalInt.of(value), skipsStatus, problems);
    }

    /** Returns a copy after which the root does not write the status. */
    public Outcome withStatusSkipped() {
        return new Outcome(stops, delay, retries, priority, true, problems);
    }

    /** Returns the combination of this outcome and a later one. */
    public Outcome plus(Outcome other) {
        if (equals(DONE)) {
            return other;
        }
        if (other.equals(DONE)) {
            return this;
        }
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(other.problems);
        return new Outcome(
                stops || other.stops,
                earlier(delay, other.delay),
                retries || other.retries,
                higher(priority, other.priority),
                skipsStatus || other.skipsStatus,
                all);
    }

    private static Optional<Duration> earlier(Optional<Duration> one, Optional<Duration> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) <= 0 ? one : other;
    }

    private static OptionalInt higher(OptionalInt one, OptionalInt other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isPresent() ? one : other;
        }
        return one.getAsInt() >= other.getAsInt() ? one : other;
    }

    /** Returns the worst severity. */
    public Severity severity() {
        return worst().map(Problem::severity).orElse(stops ? Severity.HALTED : Severity.DONE);
    }

    /** Returns whether there was no failure: all is done, or the sequence ended early. */
    public boolean succeeded() {
        return problems.isEmpty();
    }

    /** Returns whether no further reconciliation is needed before something changes. */
    public boolean rests() {
        return delay.isEmpty() && !retries;
    }

    /** Returns the first of the worst problems. */
    public Optional<Problem> worst() {
        // of equals the first stays
        return problems.stream()
                .reduce((one, other) -> Comparator.comparing(Problem::severity).compare(one, other) >= 0 ? one : other);
    }

    /** Returns the reported failures as one exception; empty when there are none. */
    public Optional<RuntimeException> failure() {
        List<Problem> told = problems.stream()
                .filter(problem -> problem.severity() != Severity.QUIET)
                .toList();
        if (told.size() <= 1) {
            return told.stream().findFirst().map(Problem::error);
        }
        return worst().map(worst -> new SeveralFailures(worst, told));
    }

    /** Returns readable text: what happened, and when it is requeued. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(severity().toString());
        delay.ifPresent(time -> text.append(", again after ").append(time));
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
