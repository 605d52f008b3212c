package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.fault.FaultKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One fault with its place: before, at or after a numbered write. Its text is a part of a {@link Schedule}. */
public sealed interface Fault {
    /** The side of a write. */
    enum Side {
        /** Before the write reaches the server. */
        BEFORE,
        /** In place of the write, or with it. */
        AT,
        /** After the write, before the process gets the answer. */
        AFTER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A fault of the write or of the process itself. */
    record OfWrite(FaultKind kind, Side side, int write) implements Fault {
        @Override
        public OfWrite at(int number) {
            return new OfWrite(kind, side, number);
        }

        @Override
        public String toString() {
            return text(this, "");
        }
    }

    /** A cache that is paused: {@link FaultKind#LAG} or {@link FaultKind#MISS}. */
    record OfCache(FaultKind kind, String cached, int write) implements Fault {
        @Override
        public OfCache at(int number) {
            return new OfCache(kind, cached, number);
        }

        @Override
        public String toString() {
            return text(this, cached);
        }
    }

    /** A crash, after which the cache of a kind is a number of writes behind, from 1. */
    record RestartBehind(String cached, int by, int write) implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.RESTART_BEHIND;
        }

        /** Returns the first write that the cache does not have. */
        public int since() {
            return write + 1 - by;
        }

        @Override
        public RestartBehind at(int number) {
            return new RestartBehind(cached, by, number);
        }

        @Override
        public String toString() {
            return text(this, cached + " by " + by);
        }
    }

    /** Another process that takes over a number of reads after a write. */
    record Overtake(int reads, int write) implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.OVERTAKE;
        }

        @Override
        public Overtake at(int number) {
            return new Overtake(reads, number);
        }

        @Override
        public String toString() {
            return text(this, reads + " reads");
        }
    }

    /** An early change of a user, by its number from 1. */
    record Edit(int number, Side side, int write) implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.EDIT;
        }

        @Override
        public Edit at(int other) {
            return new Edit(number, side, other);
        }

        @Override
        public String toString() {
            return text(this, Integer.toString(number));
        }
    }

    /** An action of another actor on an object: {@link FaultKind#DELETE} or {@link FaultKind#HOLD}. */
    record OfObject(FaultKind kind, ObjectRef object, Side side, int write) implements Fault {
        @Override
        public OfObject at(int number) {
            return new OfObject(kind, object, side, number);
        }

        @Override
        public String toString() {
            return text(this, object.toString());
        }
    }

    /** Returns the kind of the fault. */
    FaultKind kind();

    /** Returns the side of the write. */
    default Side side() {
        return Side.AFTER;
    }

    /** Returns the number of the write, from 1; after 0 is before everything. */
    int write();

    /** Returns this fault at another write. */
    Fault at(int number);

    /** Returns true if the process is dead after it. */
    default boolean crashes() {
        return kind() == FaultKind.CRASH || kind() == FaultKind.RESTART_BEHIND;
    }

    /** Describes the fault, for reports. */
    default String description() {
        return switch (this) {
            case OfCache cache ->
                "the cache of " + cache.cached + " is paused"
                        + (kind() == FaultKind.MISS ? ", and misses what is between" : " from here on");
            case RestartBehind restart ->
                "the process crashes, and starts again with a cache of " + restart.cached + " as it was before write "
                        + restart.since();
            case Overtake overtake -> "the process is frozen, another one takes over, and then it continues";
            case Edit edit -> "now the user changes something";
            case OfObject of ->
                of.kind == FaultKind.DELETE
                        ? "another actor deletes " + of.object
                        : "another actor puts a finalizer on " + of.object;
            case OfWrite of ->
                switch (of.kind) {
                    case CRASH -> "the process crashes, and starts again";
                    case REFUSE -> "the server refuses, with 503";
                    case LOSE_ANSWER -> "it is done, and the answer is lost";
                    case CONFLICT -> "another actor has just changed the object";
                    case REPEAT -> "another actor has just done the same";
                    case UNDO -> "another actor reverts it";
                    case RUN_AGAIN -> "everything is to be reconciled again";
                    case TELL -> "the caches receive events in the middle of the run";
                    default -> throw new IllegalStateException("not a fault of a write: " + of.kind);
                };
        };
    }

    /** Returns the words for a kind in a schedule, such as {@code lose answer}. */
    static String verb(FaultKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String text(Fault fault, String subject) {
        return verb(fault.kind()) + (subject.isEmpty() ? "" : " " + subject) + " " + fault.side() + " write "
                + fault.write();
    }

    /**
     * Parses the text of a fault.
     *
     * @throws IllegalArgumentException if it is not the text of a fault
     */
    static Fault parse(String text) {
        Matcher placed = Syntax.PLACED.matcher(text.strip());
        if (placed.matches()) {
            Side side = Side.valueOf(placed.group(2).toUpperCase(Locale.ROOT));
            int write = Integer.parseInt(placed.group(3));
            for (FaultKind kind : Syntax.KINDS) {
                Matcher words =
                        Pattern.compile(verb(kind) + Syntax.subject(kind)).matcher(placed.group(1));
                if (words.matches()) {
                    return of(kind, words, side, write);
                }
            }
        }
        throw new IllegalArgumentException(
                "not a part of a schedule: \"" + text.strip() + "\"; examples:"
                        + " \"crash after write 3\", \"lag configmaps after write 0\", \"edit 1 before write 2\","
                        + " \"restart behind configmaps by 1 after write 2\" or \"delete configmaps default/blog after write 4\"");
    }

    private static Fault of(FaultKind kind, Matcher words, Side side, int write) {
        return switch (kind) {
            case LAG, MISS -> new OfCache(kind, words.group(1), write);
            case RESTART_BEHIND -> new RestartBehind(words.group(1), Integer.parseInt(words.group(2)), write);
            case OVERTAKE -> new Overtake(Integer.parseInt(words.group(1)), write);
            case EDIT -> new Edit(Integer.parseInt(words.group(1)), side, write);
            case DELETE, HOLD -> new OfObject(kind, ObjectRef.parse(words.group(1)), side, write);
            default -> new OfWrite(kind, side, write);
        };
    }

    /** The text of faults. */
    final class Syntax {
        private static final Pattern PLACED = Pattern.compile("(.*\\S)\\s+(before|at|after)\\s+write\\s+(\\d{1,6})");

        /** The kinds that have a place. */
        static final Set<FaultKind> KINDS =
                EnumSet.complementOf(EnumSet.range(FaultKind.TIMEOUT, FaultKind.SLOW_SERVER));

        private Syntax() {}

        private static String subject(FaultKind kind) {
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
}
