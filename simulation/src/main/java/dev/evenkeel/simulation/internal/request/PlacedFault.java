package dev.evenkeel.simulation.internal.request;

import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.RequestPlace.UserStep;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A fault with its place. Its text is a part of a {@link FaultSchedule}. */
public record PlacedFault(Effect effect, Side side, RequestPlace place) {
    private static final Pattern PLACED =
            Pattern.compile("(.*\\S)\\s+(before|at|after)\\s+(?:step (\\d{1,4})|(\\S+) (\\S+) (\\S+) #(\\d{1,6}))");
    private static final Pattern REFUSE = Pattern.compile("refuse (409|429|500|503)");
    private static final Pattern HOLD = Pattern.compile("(lag|miss) (\\S+)(?: over (\\d{1,3}) steps)?");
    private static final Pattern BEHIND = Pattern.compile("restart behind (\\S+) by (\\d{1,4})");

    /** The side of a place. */
    public enum Side {
        /** Before the server receives the request, or the user makes the step. */
        BEFORE,
        /** In place of the request, or of its answer. */
        AT,
        /** After the request was done, before the process receives the answer. */
        AFTER
    }

    /** The effect of a fault. */
    public sealed interface Effect {}

    /** The process is killed, and started again; if it was killed before a step of the user, after that step. */
    public record Crash() implements Effect {
        @Override
        public String toString() {
            return "crash";
        }
    }

    /** The request is done, and its connection is cut instead of an answer. */
    public record LoseAnswer() implements Effect {
        @Override
        public String toString() {
            return "lose answer";
        }
    }

    /** The request is answered with a status, and not done. */
    public record Refuse(int status) implements Effect {
        @Override
        public String toString() {
            return "refuse " + status;
        }
    }

    /** The process is stopped by SIGSTOP until the others are idle; its leases expire meanwhile. */
    public record Pause() implements Effect {
        @Override
        public String toString() {
            return "pause";
        }
    }

    /**
     * The watches of a resource deliver nothing until everything else is at rest.
     *
     * @param steps the number of rests until then, from 1
     * @param missing whether the watches end then, and cannot be resumed, so that states between are never seen
     */
    public record Hold(String resource, int steps, boolean missing) implements Effect {
        @Override
        public String toString() {
            return (missing ? "miss " : "lag ") + resource + (steps == 1 ? "" : " over " + steps + " steps");
        }
    }

    /** The process is killed, and started again with a list of a resource that is a number of changes old. */
    public record RestartBehind(String resource, int by) implements Effect {
        @Override
        public String toString() {
            return "restart behind " + resource + " by " + by;
        }
    }

    /**
     * The connections of all watches are cut.
     *
     * @param expired whether the watches cannot be resumed, by 410
     */
    public record CutWatches(boolean expired) implements Effect {
        @Override
        public String toString() {
            return expired ? "expire watches" : "cut watches";
        }
    }

    /** Returns true if the process is dead after it. */
    public boolean crashes() {
        return effect instanceof Crash || effect instanceof RestartBehind;
    }

    /** Describes the effect, for reports. */
    public String description() {
        return switch (effect) {
            case Crash crash ->
                place instanceof UserStep && side == Side.BEFORE
                        ? "the process is killed, and starts again after the step"
                        : "the process is killed, and starts again";
            case LoseAnswer lost -> "it is done, and the answer is lost";
            case Refuse refuse -> "the server refuses, with " + refuse.status;
            case Pause pause -> "the process is stopped until everything else is at rest, and then continues";
            case Hold hold ->
                "the watches of " + hold.resource + " deliver nothing until everything else is at rest"
                        + (hold.missing ? ", and then cannot be resumed: the process lists again" : "");
            case RestartBehind behind ->
                "the process is killed, and starts again with a list of " + behind.resource + " that is " + behind.by
                        + (behind.by == 1 ? " change old" : " changes old");
            case CutWatches cut ->
                cut.expired ? "all watches are cut, and cannot be resumed" : "the connections of all watches are cut";
        };
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return effect + " " + side.name().toLowerCase(Locale.ROOT) + " " + place;
    }

    /**
     * Parses the text of a fault.
     *
     * @throws IllegalArgumentException if it is not the text of a fault
     */
    static PlacedFault parse(String text) {
        Matcher placed = PLACED.matcher(text.strip());
        if (placed.matches()) {
            Side side = Side.valueOf(placed.group(2).toUpperCase(Locale.ROOT));
            RequestPlace place = placed.group(3) != null
                    ? new UserStep(Integer.parseInt(placed.group(3)))
                    : new ApiRequest(
                            placed.group(4), placed.group(5), placed.group(6), Integer.parseInt(placed.group(7)));
            Optional<Effect> effect = effect(placed.group(1));
            if (effect.isPresent()) {
                return new PlacedFault(effect.get(), side, place);
            }
        }
        throw new IllegalArgumentException("not a part of a schedule: \"" + text.strip() + "\"; examples:"
                + " \"crash after create configmaps default/blog #1\","
                + " \"refuse 409 at update widgets.example.com/status default/blog #1\","
                + " \"lose answer at apply services default/blog #1\", \"lag configmaps before step 1\","
                + " \"miss widgets.example.com over 2 steps before step 1\","
                + " \"restart behind configmaps by 1 after create configmaps default/blog #1\""
                + " or \"expire watches after step 1\"");
    }

    private static Optional<Effect> effect(String text) {
        return switch (text) {
            case "crash" -> Optional.of(new Crash());
            case "lose answer" -> Optional.of(new LoseAnswer());
            case "pause" -> Optional.of(new Pause());
            case "cut watches" -> Optional.of(new CutWatches(false));
            case "expire watches" -> Optional.of(new CutWatches(true));
            default -> effectOfSomething(text);
        };
    }

    private static Optional<Effect> effectOfSomething(String text) {
        Matcher refuse = REFUSE.matcher(text);
        if (refuse.matches()) {
            return Optional.of(new Refuse(Integer.parseInt(refuse.group(1))));
        }
        Matcher hold = HOLD.matcher(text);
        if (hold.matches()) {
            int steps = hold.group(3) == null ? 1 : Integer.parseInt(hold.group(3));
            return Optional.of(new Hold(hold.group(2), steps, hold.group(1).equals("miss")));
        }
        Matcher behind = BEHIND.matcher(text);
        return behind.matches()
                ? Optional.of(new RestartBehind(behind.group(1), Integer.parseInt(behind.group(2))))
                : Optional.empty();
    }
}
