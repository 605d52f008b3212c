package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.fault.FaultKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One fault with its place: before, at or after a numbered write. Its text is a part of a {@link Schedule}.
 *
 * @param write number of the write, from 1; after 0 is before everything
 */
public record Fault(FaultKind kind, Subject subject, Side side, int write) {
    private static final Pattern PLACED = Pattern.compile("(.*\\S)\\s+(before|at|after)\\s+write\\s+(\\d{1,6})");

    /** The kinds that have a place. */
    private static final Set<FaultKind> KINDS =
            EnumSet.complementOf(EnumSet.range(FaultKind.TIMEOUT, FaultKind.SLOW_SERVER));

    /** The side of a write. */
    public enum Side {
        /** Before the write reaches the server. */
        BEFORE,
        /** In place of the write, or with it. */
        AT,
        /** After the write, before the process gets the answer. */
        AFTER
    }

    /** The subject of a fault. */
    public sealed interface Subject {}

    /** The write, or the process itself. */
    public record Self() implements Subject {}

    /** A cache that is paused: {@link FaultKind#LAG} or {@link FaultKind#MISS}. */
    public record Cache(String cached) implements Subject {}

    /** The cache of a kind that is a number of writes behind, from 1, after a crash. */
    public record CacheBehind(String cached, int by) implements Subject {}

    /** The number of reads after a write at which another process takes over. */
    public record Overtake(int reads) implements Subject {}

    /** An early change of a user, by its number from 1. */
    public record Edit(int number) implements Subject {}

    /** The object of another actor's action: {@link FaultKind#DELETE} or {@link FaultKind#HOLD}. */
    public record OfObject(ObjectRef object) implements Subject {}

    static Fault ofWrite(FaultKind kind, Side side, int write) {
        return new Fault(kind, new Self(), side, write);
    }

    /** Returns this fault at another write. */
    Fault at(int number) {
        return new Fault(kind, subject, side, number);
    }

    /** Returns the first write that a cache which is behind does not have. */
    public int since(CacheBehind behind) {
        return write + 1 - behind.by;
    }

    /** Returns true if the process is dead after it. */
    public boolean crashes() {
        return kind == FaultKind.CRASH || kind == FaultKind.RESTART_BEHIND;
    }

    /** Describes the fault, for reports. */
    public String description() {
        return switch (subject) {
            case Cache(String cached) ->
                "the cache of " + cached + " is paused"
                        + (kind == FaultKind.MISS ? ", and misses what is between" : " from here on");
            case CacheBehind behind ->
                "the process crashes, and starts again with a cache of " + behind.cached + " as it was before write "
                        + since(behind);
            case Overtake overtake -> "the process is frozen, another one takes over, and then it continues";
            case Edit edit -> "now the user changes something";
            case OfObject(ObjectRef object) ->
                kind == FaultKind.DELETE
                        ? "another actor deletes " + object
                        : "another actor puts a finalizer on " + object;
            case Self self ->
                switch (kind) {
                    case CRASH -> "the process crashes, and starts again";
                    case REFUSE -> "the server refuses, with 503";
                    case LOSE_ANSWER -> "it is done, and the answer is lost";
                    case CONFLICT -> "another actor has just changed the object";
                    case REPEAT -> "another actor has just done the same";
                    case UNDO -> "another actor reverts it";
                    case RUN_AGAIN -> "everything is to be reconciled again";
                    case TELL -> "the caches receive events in the middle of the run";
                    default -> throw new IllegalStateException("not a fault of a write: " + kind);
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
        String about = switch (subject) {
            case Self self -> "";
            case Cache(String cached) -> " " + cached;
            case CacheBehind(String cached, int by) -> " " + cached + " by " + by;
            case Overtake(int reads) -> " " + reads + " reads";
            case Edit(int number) -> " " + number;
            case OfObject(ObjectRef object) -> " " + object;
        };
        return verb(kind) + about + " " + verb(side) + " write " + write;
    }

    /**
     * Parses the text of a fault.
     *
     * @throws IllegalArgumentException if it is not the text of a fault
     */
    static Fault parse(String text) {
        Matcher placed = PLACED.matcher(text.strip());
        if (placed.matches()) {
            for (FaultKind kind : KINDS) {
                Matcher words = Pattern.compile(verb(kind) + syntax(kind)).matcher(placed.group(1));
                if (words.matches()) {
                    Subject subject = subject(kind, words);
                    // the others occur after writes only
                    boolean anySide = subject instanceof Self || subject instanceof Edit || subject instanceof OfObject;
                    Side side = anySide ? Side.valueOf(placed.group(2).toUpperCase(Locale.ROOT)) : Side.AFTER;
                    return new Fault(kind, subject, side, Integer.parseInt(placed.group(3)));
                }
            }
        }
        throw new IllegalArgumentException(
                "not a part of a schedule: \"" + text.strip() + "\"; examples:"
                        + " \"crash after write 3\", \"lag configmaps after write 0\", \"edit 1 before write 2\","
                        + " \"restart behind configmaps by 1 after write 2\" or \"delete configmaps default/blog after write 4\"");
    }

    private static Subject subject(FaultKind kind, Matcher words) {
        return switch (kind) {
            case LAG, MISS -> new Cache(words.group(1));
            case RESTART_BEHIND -> new CacheBehind(words.group(1), Integer.parseInt(words.group(2)));
            case OVERTAKE -> new Overtake(Integer.parseInt(words.group(1)));
            case EDIT -> new Edit(Integer.parseInt(words.group(1)));
            case DELETE, HOLD -> new OfObject(ObjectRef.parse(words.group(1)));
            default -> new Self();
        };
    }

    private static String syntax(FaultKind kind) {
        return switch (kind) {
            case LAG, MISS -> " (\\S+)";
            case RESTART_BEHIND -> " (\\S+) by (\\d{1,6})";
            case OVERTAKE -> " (\\d{1,3}) reads";
            case EDIT -> " (\\d{1,6})";
            case DELETE, HOLD -> " (\\S+ \\S+)";
            default -> "";
        };
    }
}
