package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.fault.FaultKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One fault with its subject and its place. Its text is a part of a {@link Schedule}. */
public record Fault(FaultKind kind, Subject subject, Place place) {
    private static final Pattern PLACED = Pattern.compile("(.*?\\S)\\s+(" + Place.SYNTAX.pattern() + ")");

    /** The kinds that a schedule can have. */
    private static final Set<FaultKind> KINDS =
            EnumSet.complementOf(EnumSet.range(FaultKind.NO_CONNECTION, FaultKind.SLOW_SERVER));

    /** The subject of a fault. */
    public sealed interface Subject {}

    /** The step itself, or the process. */
    public record Self() implements Subject {
        @Override
        public String toString() {
            return "";
        }
    }

    /** A kind of objects, by its id: {@link FaultKind#LAG}, {@link FaultKind#MISS} or {@link FaultKind#MIGRATE}. */
    public record OfKind(String id) implements Subject {
        @Override
        public String toString() {
            return " " + id;
        }
    }

    /** The cache of a kind that is a number of writes behind, from 1, after a crash. */
    public record CacheBehind(String cached, int by) implements Subject {
        @Override
        public String toString() {
            return " " + cached + " by " + by;
        }
    }

    /** The number of writes of a kind that are denied. */
    public record Denial(String id, int times) implements Subject {
        @Override
        public String toString() {
            return " " + id + " " + times + " times";
        }
    }

    /** The seconds by which a clock jumps, negative if it jumps back. */
    public record Seconds(long number) implements Subject {
        @Override
        public String toString() {
            return " by " + number + " s";
        }
    }

    /** An early change of a user, by its number from 1. */
    public record Edit(int number) implements Subject {
        @Override
        public String toString() {
            return " " + number;
        }
    }

    /** The object of another actor's action: {@link FaultKind#DELETE} or {@link FaultKind#HOLD}. */
    public record OfObject(ObjectRef object) implements Subject {
        @Override
        public String toString() {
            return " " + object;
        }
    }

    static Fault of(FaultKind kind, Place place) {
        return new Fault(kind, new Self(), place);
    }

    /** Returns this fault at another step. */
    Fault at(int number) {
        return new Fault(kind, subject, place.at(number));
    }

    /** Returns the first write that a cache which is behind does not have. */
    public int since(CacheBehind behind) {
        return place.number() + 1 - behind.by;
    }

    /** Returns true if the process is dead after it. */
    public boolean crashes() {
        return switch (kind) {
            case CRASH, RESTART_BEHIND, DOWNGRADE -> true;
            default -> false;
        };
    }

    /** Describes the fault, for reports. */
    public String description() {
        return switch (subject) {
            case OfKind(String id) ->
                switch (kind) {
                    case MISS -> "the cache of " + id + " is paused, and misses what is between";
                    case LAG -> "the cache of " + id + " is paused from here on";
                    default -> id + " are stored in the next version";
                };
            case CacheBehind behind ->
                "the process crashes, and starts again with a cache of " + behind.cached + " as it was before write "
                        + since(behind);
            case Denial(String id, int times) -> "a quota or policy denies the next " + times + " writes of " + id;
            case Seconds(long number) ->
                "the clock of the process jumps " + Math.abs(number) + " s " + (number < 0 ? "back" : "forward");
            case Edit edit -> "now the user changes something";
            case OfObject(ObjectRef object) ->
                kind == FaultKind.DELETE
                        ? "another actor deletes " + object
                        : "another actor puts a finalizer on " + object;
            case Self self ->
                switch (kind) {
                    case CRASH -> "the process crashes, and starts again";
                    case REFUSE -> place.step() == Place.Step.WRITE ? "the server refuses, with 503" : "it is refused";
                    case TIMEOUT -> "it times out, and is not done";
                    case LOSE_ANSWER -> "it is done, and the answer is lost";
                    case CONFLICT -> "another actor has just changed the object";
                    case REPEAT -> "another actor has just done the same";
                    case UNDO -> "another actor reverts it";
                    case RUN_AGAIN -> "everything is to be reconciled again";
                    case TELL -> "the caches receive events in the middle of the run";
                    case OVERTAKE -> "the process is frozen, another one takes over, and then it continues";
                    case DOWNGRADE -> "the process ends, and the previous version starts";
                    case OVERLAP -> "the previous version starts, next to the present one";
                    default -> throw new IllegalStateException("not a fault of a step: " + kind);
                };
        };
    }

    /** Returns the words for a kind or side in a schedule, such as {@code lose answer}. */
    public static String verb(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return verb(kind) + subject + " " + place.text(kind);
    }

    /**
     * Parses the text of a fault.
     *
     * @throws IllegalArgumentException if it is not the text of a fault
     */
    static Fault parse(String text) {
        Matcher placed = PLACED.matcher(text.strip());
        if (placed.matches()) {
            Place place = Place.parse(placed.group(2));
            for (FaultKind kind : KINDS) {
                Matcher words = Pattern.compile(verb(kind) + syntax(kind)).matcher(placed.group(1));
                if (words.matches() && place.number() >= place.first()) {
                    return new Fault(kind, subject(kind, words), place);
                }
            }
        }
        throw new IllegalArgumentException("not a part of a schedule: \"" + text.strip() + "\"; examples:"
                + " \"crash after write 3\", \"lag configmaps after write 0\", \"edit 1 before write 2\","
                + " \"restart behind configmaps by 1 after write 2\", \"lose answer at call 1\""
                + " or \"delete configmaps default/blog after write 4\"");
    }

    private static Subject subject(FaultKind kind, Matcher words) {
        return switch (kind) {
            case LAG, MISS, MIGRATE -> new OfKind(words.group(1));
            case RESTART_BEHIND -> new CacheBehind(words.group(1), Integer.parseInt(words.group(2)));
            case DENY -> new Denial(words.group(1), Integer.parseInt(words.group(2)));
            case JUMP -> new Seconds(Long.parseLong(words.group(1)));
            case EDIT -> new Edit(Integer.parseInt(words.group(1)));
            case DELETE, HOLD -> new OfObject(ObjectRef.parse(words.group(1)));
            default -> new Self();
        };
    }

    private static String syntax(FaultKind kind) {
        return switch (kind) {
            case LAG, MISS, MIGRATE -> " (\\S+)";
            case RESTART_BEHIND -> " (\\S+) by (\\d{1,6})";
            case DENY -> " (\\S+) (\\d{1,6}) times";
            case JUMP -> " by (-?\\d{1,9}) s";
            case EDIT -> " (\\d{1,6})";
            case DELETE, HOLD -> " (\\S+ \\S+)";
            default -> "";
        };
    }
}
