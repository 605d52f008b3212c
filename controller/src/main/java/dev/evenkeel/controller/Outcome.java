package dev.evenkeel.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * How a part of a reconciliation ended: a value that says separately what happened, when to come back, how urgent that is,
 * and whether the status is to be written. It is a {@link Result}, so the whole tree's outcome is what a root returns, and
 * nothing of it is lost on the way.
 *
 * <h2>The problem</h2>
 *
 * <p>The parts of a tree each have something to say, and one answer must come of it. When what happened and when to come back
 * are one thing (an exception, a flag), an error swallows the appointment that another part made, and stopping early looks
 * like failing.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>{@link #plus} is associative, and {@link #done()} is its identity: how the parts are nested does not matter.
 *   <li>Nothing is lost: the earliest delay, every wish to retry, the highest priority, all problems in their order.
 *   <li>{@link #severity} and {@link #problems} fit: a problem is as severe as it was said to be, and the worst decides.
 *   <li>Whatever is worse than {@link Severity#DONE} stops a sequence.
 *   <li>What is quiet or failed is retried; what is durable is not on its own account, but an appointment beside it holds.
 * </ol>
 *
 * <h2>What the machinery makes of it</h2>
 *
 * <table>
 *   <caption>Outcomes of a root</caption>
 *   <tr><th>severity</th><th>reported</th><th>comes again</th></tr>
 *   <tr><td>done, halted</td><td>nothing</td><td>when something changes, and as it asks</td></tr>
 *   <tr><td>quiet</td><td>nothing; {@code explain} shows it</td><td>with growing delays</td></tr>
 *   <tr><td>durable</td><td>as a {@link TerminalException}</td><td>when something changes, and as it asks</td></tr>
 *   <tr><td>failed</td><td>as any exception</td><td>with growing delays</td></tr>
 * </table>
 *
 * <p>When there is a delay beside growing delays, the shorter of the two counts.
 *
 * @param stops whether the parts that follow in a sequence are left out
 * @param delay after what time at the latest it is to be reconciled again; empty when nobody cares
 * @param retries whether it is to be reconciled again with growing delays
 * @param priority of the next time, when that is asked for here; higher comes first; empty for the present one
 * @param skipsStatus whether the root must not write the status this time
 * @param problems what went wrong, in the order in which it did
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

    /** What happened, from good to bad. */
    public enum Severity {
        /** Its part is done. */
        DONE,
        /** The sequence ends here; the root goes on as if all were done. */
        HALTED,
        /** A failure that is expected to pass, and of which nobody is told. */
        QUIET,
        /** A failure that stays until something changes: people are told, trying again is of no use. */
        DURABLE,
        /** A failure that people are told of, and that is tried again. */
        FAILED
    }

    /**
     * Something that went wrong.
     *
     * @param severity one of the failures
     * @param error what it was
     */
    public record Problem(Severity severity, RuntimeException error) {
        /** Refuses severities that are no failure. */
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

    /** What several parts failed with; its cause is the one that counts, the others are suppressed. */
    static final class SeveralFailures extends RuntimeException {
        private static final long serialVersionUID = 1;

        SeveralFailures(Problem worst, List<Problem> told) {
            super(
                    told.stream().map(problem -> problem.error().toString()).collect(Collectors.joining("; ")),
                    worst.error());
            told.stream().filter(problem -> !problem.equals(worst)).forEach(problem -> addSuppressed(problem.error()));
        }
    }

    /** Copies the list, and draws the conclusions from it: what went wrong stops, and may ask for a retry. */
    public Outcome {
        if (delay.isPresent() && !delay.get().isPositive()) {
            throw new IllegalArgumentException("delay must be positive, and is " + delay.get() + ": use retry()");
        }
        problems = List.copyOf(problems);
        stops |= !problems.isEmpty();
        retries |= problems.stream().anyMatch(problem -> problem.severity() != Severity.DURABLE);
    }

    /** All is done: the identity of {@link #plus}. */
    public static Outcome done() {
        return DONE;
    }

    /** Done for now, and to be looked at again after a while, or when something changes. */
    public static Outcome after(Duration delay) {
        return DONE.within(delay);
    }

    /** Done as far as it went, and to be looked at again with the growing delays of failures. */
    public static Outcome retry() {
        return new Outcome(false, Optional.empty(), true, OptionalInt.empty(), false, List.of());
    }

    /** The sequence ends here, and that is well. */
    public static Outcome halted() {
        return HALTED;
    }

    /** A failure that is expected to pass: tried again with growing delays, and nobody is told. */
    public static Outcome quiet(RuntimeException error) {
        return of(Severity.QUIET, error);
    }

    /** A failure that stays until something changes: people are told, and it is not tried again. */
    public static Outcome durable(RuntimeException error) {
        return of(Severity.DURABLE, error);
    }

    /**
     * A failure: people are told, and it is tried again with growing delays. A {@link TerminalException} says of itself that
     * this is of no use: it is {@linkplain #durable durable}.
     */
    public static Outcome failed(RuntimeException error) {
        return of(error instanceof TerminalException ? Severity.DURABLE : Severity.FAILED, error);
    }

    private static Outcome of(Severity severity, RuntimeException error) {
        return new Outcome(
                true, Optional.empty(), false, OptionalInt.empty(), false, List.of(new Problem(severity, error)));
    }

    /** What a reconciler returned, as an outcome. */
    public static Outcome of(Result result) {
        return switch (result) {
            case Outcome outcome -> outcome;
            case Result.Done unused -> done();
            case Result.After(Duration delay) -> after(delay);
            case Result.Retry unused -> retry();
        };
    }

    /** The same, to be looked at again after this time at the latest; an earlier delay stays. */
    public Outcome within(Duration latest) {
        Duration earliest =
                delay.filter(present -> present.compareTo(latest) <= 0).orElse(latest);
        return new Outcome(stops, Optional.of(earliest), retries, priority, skipsStatus, problems);
    }

    /** The same with this priority for the next time; see {@link dev.evenkeel.controller.internal.queue.Priority}. */
    public Outcome withPriority(int value) {
        return new Outcome(stops, delay, retries, OptionalInt.of(value), skipsStatus, problems);
    }

    /** The same, after which the root does not write the status. */
    public Outcome withStatusSkipped() {
        return new Outcome(stops, delay, retries, priority, true, problems);
    }

    /** Both: first this happened, then the other. */
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

    /** What happened: the worst of it. */
    public Severity severity() {
        return worst().map(Problem::severity).orElse(stops ? Severity.HALTED : Severity.DONE);
    }

    /** Whether nothing went wrong: all is done, or the sequence ended early. */
    public boolean succeeded() {
        return problems.isEmpty();
    }

    /** Whether nobody needs to come back before something changes. */
    public boolean rests() {
        return delay.isEmpty() && !retries;
    }

    /** The first of the worst problems. */
    public Optional<Problem> worst() {
        // the later of equals is not better, and so not taken
        return problems.stream()
                .reduce((one, other) -> Comparator.comparing(Problem::severity).compare(one, other) >= 0 ? one : other);
    }

    /** What went wrong, as one exception for people; empty when nothing did that they are told of. */
    public Optional<RuntimeException> failure() {
        List<Problem> told = problems.stream()
                .filter(problem -> problem.severity() != Severity.QUIET)
                .toList();
        if (told.size() <= 1) {
            return told.stream().findFirst().map(Problem::error);
        }
        return worst().map(worst -> new SeveralFailures(worst, told));
    }

    /** For people: what happened, and when it comes again. */
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
