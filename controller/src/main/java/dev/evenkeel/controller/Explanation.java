package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why an object was reconciled, or why it waits.
 *
 * @param controller who answers
 * @param key of the object
 * @param known whether the object is in the controller's cache
 * @param phase what the controller is doing
 * @param place who may reconcile the object; for people
 * @param here whether that is this process
 * @param running how long it has been being reconciled; empty when it is not
 * @param stack where that is now; empty when nobody knows
 * @param waiting how long it has been waiting for a worker; empty when it does not
 * @param nextTry how long until it comes to wait by itself; empty when it does not
 * @param causes of the reconciliation that runs, or else of the next one
 * @param failures how often in a row it has failed
 * @param last the last reconciliation here; empty when there was none, or the object is gone since
 */
public record Explanation(
        String controller,
        ObjectKey key,
        boolean known,
        Phase phase,
        String place,
        boolean here,
        Optional<Duration> running,
        List<String> stack,
        Optional<Duration> waiting,
        Optional<Duration> nextTry,
        List<String> causes,
        int failures,
        Optional<Last> last) {
    /** Copies the lists. */
    public Explanation {
        stack = List.copyOf(stack);
        causes = List.copyOf(causes);
    }

    /** What a controller is doing. */
    public enum Phase {
        /** It is not started, or has stopped. */
        STOPPED,
        /** It waits for the first lists. */
        SYNCING,
        /** It is in sync, and another process has its place. */
        STANDBY,
        /** It does what is to be done first. */
        INITIALIZING,
        /** It works. */
        WORKING
    }

    /**
     * A reconciliation that is over.
     *
     * @param at when it ended
     * @param taken how long it took
     * @param outcome how it ended
     * @param causes why it happened
     * @param error what went wrong; empty when nothing did
     */
    public record Last(Instant at, Duration taken, ControllerEvent.Outcome outcome, List<String> causes, String error) {
        /** Copies the list. */
        public Last {
            causes = List.copyOf(causes);
        }
    }

    /** For people, a line each. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(controller + " " + key + ": " + state());
        if (!known) {
            text.append("\n  the object is not in the cache");
        }
        if (!here) {
            text.append("\n  reconciled by ").append(place);
        }
        if (!causes.isEmpty()) {
            text.append("\n  because of ").append(String.join(", ", causes));
        }
        if (failures > 0) {
            text.append("\n  failed ").append(failures).append(failures == 1 ? " time" : " times in a row");
        }
        last.ifPresent(run -> {
            text.append("\n  last ")
                    .append(run.outcome()
                            .name()
                            .toLowerCase(java.util.Locale.ROOT)
                            .replace('_', ' '))
                    .append(" at ")
                    .append(run.at())
                    .append(" after ")
                    .append(shown(run.taken()));
            if (!run.causes().isEmpty()) {
                text.append(", because of ").append(String.join(", ", run.causes()));
            }
            if (!run.error().isEmpty()) {
                text.append(": ").append(run.error());
            }
        });
        stack.forEach(frame -> text.append("\n    at ").append(frame));
        return text.toString();
    }

    private String state() {
        if (running.isPresent()) {
            return "running for " + shown(running.get()) + (waiting.isPresent() ? ", and once more after that" : "");
        }
        if (waiting.isPresent()) {
            return "waiting for a worker for " + shown(waiting.get());
        }
        if (nextTry.isPresent()) {
            return "next in " + shown(nextTry.get());
        }
        return switch (phase) {
            case STOPPED -> "the controller does not run";
            case SYNCING -> "the controller waits for the first lists";
            case STANDBY -> "the controller stands by";
            case INITIALIZING -> "the controller does what is to be done first";
            case WORKING -> "idle until something changes";
        };
    }

    private static String shown(Duration duration) {
        return duration.toMillis() < 10_000 ? duration.toMillis() + " ms" : duration.toSeconds() + " s";
    }
}
