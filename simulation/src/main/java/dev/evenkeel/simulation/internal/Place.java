package dev.evenkeel.simulation.internal;

import dev.evenkeel.simulation.fault.FaultKind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a run at which a fault can be injected: before, at or after a numbered step, or some reads later. Its text,
 * such as {@code 2 reads after write 4}, is the end of that of a {@link Fault}.
 *
 * @param reads number of reads after the step, before the next; zero for the step itself
 * @param number number of the step among those of its kind, from 1; after write 0 is before everything
 */
public record Place(int reads, Side side, Step step, int number) {
    /** The syntax of its text. */
    static final Pattern SYNTAX = Pattern.compile("(?:(\\d{1,3}) reads )?(before|at|after) (write|call) (\\d{1,6})");

    /** The side of a step. */
    public enum Side {
        /** Before the step reaches the server or the external system. */
        BEFORE,
        /** In place of the step, or with it. */
        AT,
        /** After the step, before the process gets the answer. */
        AFTER
    }

    /** The kind of a step. */
    public enum Step {
        /** A write of an object. */
        WRITE,
        /** A call of an external system. */
        CALL
    }

    /** Returns the place next to a write. */
    public static Place ofWrite(Side side, int number) {
        return new Place(0, side, Step.WRITE, number);
    }

    /** Returns the place next to a call of an external system. */
    public static Place ofCall(Side side, int number) {
        return new Place(0, side, Step.CALL, number);
    }

    /** Returns the same place at another step of the kind. */
    Place at(int other) {
        return new Place(reads, side, step, other);
    }

    /** Returns the number of the first step of the kind that has this place. */
    int first() {
        return step == Step.WRITE && side == Side.AFTER ? 0 : 1;
    }

    /** Parses the text of a place. */
    static Place parse(String text) {
        Matcher words = SYNTAX.matcher(text);
        if (!words.matches()) {
            throw new IllegalArgumentException("not a place: \"" + text + "\"");
        }
        int reads = words.group(1) == null ? 0 : Integer.parseInt(words.group(1));
        return new Place(
                reads,
                Side.valueOf(words.group(2).toUpperCase(Locale.ROOT)),
                Step.valueOf(words.group(3).toUpperCase(Locale.ROOT)),
                Integer.parseInt(words.group(4)));
    }

    /** Returns the text for a fault: that of OVERTAKE always has the number of reads after a write. */
    String text(FaultKind kind) {
        boolean counts = reads > 0 || (kind == FaultKind.OVERTAKE && step == Step.WRITE);
        return (counts ? reads + " reads " : "") + nextTo();
    }

    private String nextTo() {
        return Fault.verb(side) + " " + Fault.verb(step) + " " + number;
    }

    @Override
    public String toString() {
        return (reads > 0 ? reads + " reads " : "") + nextTo();
    }
}
