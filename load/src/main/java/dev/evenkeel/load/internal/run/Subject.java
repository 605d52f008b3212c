package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.internal.drive.Disruption;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The controller under load, as far as it is known. */
interface Subject extends AutoCloseable {
    /** Passes the lines of its output on, from now on. */
    void output(Consumer<String> lines);

    /** Starts it, if the harness does that. */
    void start() throws InterruptedException;

    /** Stops it, if the harness started it. */
    void stop() throws InterruptedException;

    /** Returns whether the harness starts and stops it. */
    boolean isStarted();

    /** Returns false if it has ended. */
    boolean isAlive();

    /** Returns the requests that it has made so far. */
    Counted counted();

    /** Returns whether its requests are counted. */
    boolean isCounted();

    /** Returns what disturbs its connection. */
    Disruption disruption();

    /** Returns the bytes that it retains, after it has collected its garbage; empty if that can't be measured. */
    OptionalLong occupancy();

    /** Returns the bytes of its memory; 0 if they are not known. */
    long resident();

    /** Returns what its last output was, as the end of a message. */
    String explanation();

    /** Returns what could not be measured, and why. */
    List<String> problems();

    @Override
    void close();
}
