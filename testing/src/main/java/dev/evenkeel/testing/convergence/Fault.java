package dev.evenkeel.testing.convergence;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One disturbance, and when.
 *
 * @param what what goes wrong
 * @param subject what it is about: a kind, a kind and a key, the number of a change; empty when it is the write itself
 * @param when on which side of the write
 * @param write number of the write, from 1; after 0 is before everything
 */
record Fault(Disturbance what, String subject, When when, int write) {
    /** On which side of a write. */
    enum When {
        BEFORE,
        AT,
        AFTER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern PLACE = Pattern.compile("(.*\\S)\\s+(before|at|after)\\s+write\\s+(\\d{1,6})");

    static Fault of(Disturbance what, When when, int write) {
        return new Fault(what, "", when, write);
    }

    /** The same at another write. */
    Fault at(int number) {
        return new Fault(what, subject, when, number);
    }

    /** Whether nothing comes after it. */
    boolean ends() {
        return what == Disturbance.CRASH || what == Disturbance.RESTART_BEHIND;
    }

    /** The process starts anew, and a cache is as it was before so many writes, from 1. */
    static Fault restartBehind(String kind, int writes, int write) {
        return new Fault(Disturbance.RESTART_BEHIND, kind + " by " + writes, When.AFTER, write);
    }

    /** Of a restart behind: the kind. */
    String kindBehind() {
        return subject.substring(0, subject.indexOf(' '));
    }

    /** Of a restart behind: the first write that the cache does not have. */
    int since() {
        return write + 1 - Integer.parseInt(subject.substring(subject.lastIndexOf(' ') + 1));
    }

    static Fault overtake(int reads, int write) {
        return new Fault(Disturbance.OVERTAKE, reads + " reads", When.AFTER, write);
    }

    /** Of an overtaking: how many reads later. */
    int reads() {
        return Integer.parseInt(subject.substring(0, subject.indexOf(' ')));
    }

    /** Reads what {@link #toString} writes. */
    static Fault parse(String text) {
        Matcher place = PLACE.matcher(text.strip());
        if (place.matches()) {
            for (Disturbance what : Disturbance.values()) {
                Optional<String> subject = subject(what, place.group(1));
                if (subject.isPresent()) {
                    return new Fault(
                            what,
                            subject.get(),
                            When.valueOf(place.group(2).toUpperCase(Locale.ROOT)),
                            Integer.parseInt(place.group(3)));
                }
            }
        }
        throw new IllegalArgumentException(
                "\"" + text.strip() + "\" is no part of a schedule: it should be like"
                        + " \"crash after write 3\", \"lag configmaps after write 0\", \"edit 1 before write 2\","
                        + " \"restart behind configmaps by 1 after write 2\" or \"delete configmaps default/blog after write 4\"");
    }

    private static Optional<String> subject(Disturbance what, String text) {
        if (what.object().isEmpty()) {
            return text.equals(what.verb()) ? Optional.of("") : Optional.empty();
        }
        Matcher subject =
                Pattern.compile(what.verb() + " (" + what.object() + ")").matcher(text);
        return subject.matches() ? Optional.of(subject.group(1)) : Optional.empty();
    }

    /** What happens, for people. */
    String words() {
        return switch (what) {
            case CRASH -> "the process crashes, and starts anew";
            case OVERTAKE -> "the process stands still, another one takes over, and then it goes on";
            case REFUSE -> "the server refuses, with 503";
            case LOSE_ANSWER -> "it is done, and the answer is lost";
            case CONFLICT -> "somebody else has just changed the object";
            case REPEAT -> "somebody else has just done the same";
            case UNDO -> "somebody else takes it back";
            case RUN_AGAIN -> "everything is to be reconciled once more";
            case TELL -> "the caches learn in the midst of the run what has happened";
            case LAG -> "the cache of " + subject + " stands still from here on";
            case MISS -> "the cache of " + subject + " stands still, and misses what is between";
            case RESTART_BEHIND ->
                "the process crashes, and starts anew with a cache of " + kindBehind() + " as it was before write "
                        + since();
            case EDIT -> "now the user changes something";
            case DELETE -> "somebody deletes " + subject;
            case HOLD -> "somebody else puts a finalizer on " + subject;
        };
    }

    /** As in a schedule, such as {@code crash after write 3}. */
    @Override
    public String toString() {
        return what.verb() + (subject.isEmpty() ? "" : " " + subject) + " " + when + " write " + write;
    }
}
