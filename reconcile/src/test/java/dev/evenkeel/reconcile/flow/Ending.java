package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.TerminalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An outcome in plain values, with a sum of its own; problems are their severity and what they are known by. */
record Ending(boolean stops, long seconds, boolean retries, int priority, boolean skips, List<String> problems) {
    static final Ending DONE = new Ending(false, 0, false, 0, false, List.of());
    static final Ending HALTED = new Ending(true, 0, false, 0, false, List.of());

    /** Thrown by leaves and handlers. */
    static final class Mark extends RuntimeException {
        Mark(String name) {
            super(name, null, false, false);
        }
    }

    static Ending failed(String name) {
        return new Ending(true, 0, true, 0, false, List.of("FAILED " + name));
    }

    static Ending of(Result outcome) {
        return new Ending(
                outcome.stops(),
                outcome.delay().map(Duration::toSeconds).orElse(0L),
                outcome.retries(),
                outcome.priority().orElse(0),
                outcome.skipsStatus(),
                outcome.problems().stream()
                        .map(problem -> problem.severity() + " " + name(problem.error()))
                        .toList());
    }

    private static String name(RuntimeException error) {
        return error instanceof Mark || error instanceof TerminalException
                ? String.valueOf(error.getMessage())
                : error.getClass().getSimpleName();
    }

    Ending and(Ending next) {
        List<String> both = new ArrayList<>(problems);
        both.addAll(next.problems);
        long sooner = seconds == 0 || next.seconds == 0 ? seconds + next.seconds : Math.min(seconds, next.seconds);
        return new Ending(
                stops || next.stops,
                sooner,
                retries || next.retries,
                Math.max(priority, next.priority),
                skips || next.skips,
                both);
    }
}
