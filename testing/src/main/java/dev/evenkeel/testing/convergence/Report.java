package dev.evenkeel.testing.convergence;

import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Fault;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of a check.
 *
 * @param schedules number of schedules that were tried, with those of shrinking
 * @param duration real time
 * @param writes number of writes without faults
 * @param tried how often each kind of fault was part of a schedule
 * @param seed seed by which schedules were drawn
 * @param failure the first failure, reduced; empty if there was none
 */
public record Report(
        int schedules,
        Duration duration,
        int writes,
        Map<FaultKind, Integer> tried,
        long seed,
        Optional<ConvergenceFailure> failure) {
    /** Copies the map. */
    public Report {
        tried = Map.copyOf(tried);
    }

    /** Returns whether no failure was found. */
    public boolean converges() {
        return failure.isEmpty();
    }

    /** A line; for a failure, all that is needed to understand and to repeat it. */
    @Override
    public String toString() {
        return failure.map(this::words)
                .orElseGet(() -> "converges: " + figures() + "; "
                        + tried.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(one -> Fault.verb(one.getKey()) + " " + one.getValue())
                                .collect(Collectors.joining(", ")));
    }

    private String figures() {
        double seconds = duration.toNanos() / 1e9;
        return String.format(
                Locale.ROOT,
                "%d schedules around %d writes in %.2f s, %.0f a second, seed %d",
                schedules,
                writes,
                seconds,
                schedules / Math.max(seconds, 1e-9),
                seed);
    }

    private String words(ConvergenceFailure found) {
        StringBuilder text = new StringBuilder("does not converge: ").append(found.problem());
        found.details().forEach(line -> text.append("\n    ").append(line));
        text.append("\n\n")
                .append(found.schedule().isEmpty() ? "without faults:" : "by the schedule: " + found.schedule());
        found.steps().forEach(line -> text.append("\n    ").append(line));
        text.append("\n\nfound after ").append(figures());
        if (!found.schedule().isEmpty()) {
            text.append("\n\nto replay it:\n\n    @Test\n    void ")
                    .append(name(found.schedule()))
                    .append("() {\n        convergence.replay(\"")
                    .append(found.schedule())
                    .append("\");\n    }\n");
        }
        return text.toString();
    }

    /** Returns the name of a test that replays a schedule. */
    private static String name(String schedule) {
        StringBuilder name = new StringBuilder("converges");
        for (String word : schedule.split("[^A-Za-z0-9]+", -1)) {
            if (!word.isEmpty()) {
                name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            }
        }
        return name.toString();
    }
}
