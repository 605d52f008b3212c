package dev.evenkeel.testing.convergence;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a search came to.
 *
 * @param schedules how many were tried, with those of shrinking
 * @param duration how long it took
 * @param writes how many writes there are when nothing goes wrong
 * @param tried how often each disturbance was part of a schedule
 * @param seed by which the schedules were drawn
 * @param failure the first that was found, made small; empty when there was none
 */
public record Report(
        int schedules,
        Duration duration,
        int writes,
        Map<Disturbance, Integer> tried,
        long seed,
        Optional<Failure> failure) {
    /** Copies the map. */
    public Report {
        tried = Map.copyOf(tried);
    }

    /** Whether nothing was found. */
    public boolean converges() {
        return failure.isEmpty();
    }

    /** In words; of a failure all that is needed to understand and to repeat it. */
    @Override
    public String toString() {
        return failure.map(this::words)
                .orElseGet(() -> "converges: " + figures() + "; "
                        + tried.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(one -> one.getKey().verb() + " " + one.getValue())
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

    private String words(Failure found) {
        StringBuilder text = new StringBuilder("does not converge: ").append(found.problem());
        found.details().forEach(line -> text.append("\n    ").append(line));
        text.append("\n\n")
                .append(
                        found.schedule().isEmpty()
                                ? "when nothing goes wrong:"
                                : "by the schedule: " + found.schedule());
        found.steps().forEach(line -> text.append("\n    ").append(line));
        text.append("\n\nfound after ").append(figures());
        if (!found.schedule().isEmpty()) {
            text.append("\n\nto see it again:\n\n    @Test\n    void ")
                    .append(name(found.schedule()))
                    .append("() {\n        convergence.replay(\"")
                    .append(found.schedule())
                    .append("\");\n    }\n");
        }
        return text.toString();
    }

    /** A name for the test: that of the schedule. */
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
