package dev.evenkeel.testing.internal.convergence;

import java.util.List;

/**
 * A failure of a run.
 *
 * @param problem one sentence
 * @param details lines that describe the differences
 */
public record Finding(String problem, List<String> details) {
    /** Copies the list. */
    public Finding {
        details = List.copyOf(details);
    }

    static Finding of(String problem, String... details) {
        return new Finding(problem, List.of(details));
    }

    @Override
    public String toString() {
        return details.isEmpty() ? problem : problem + "\n    " + String.join("\n    ", details);
    }
}
