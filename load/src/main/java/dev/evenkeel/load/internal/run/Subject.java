package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.measure.ClassHistogram;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The controller under load, as far as it is known. */
interface Subject extends AutoCloseable {
    /**
     * The memory that a controller retains.
     *
     * @param bytes its size
     * @param classes the instances in it; empty if it is not a JVM
     */
    record Retained(long bytes, Optional<ClassHistogram> classes) {}

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

    /** Begins to measure what can't be measured while it is still starting. */
    void started();

    /** Returns the CPU time that it has used so far; empty if that can't be measured. */
    Optional<Duration> cpu();

    /** Returns what it retains, after it has collected its garbage; empty if that can't be measured. */
    Optional<Retained> retained();

    /** Returns the bytes of its memory; 0 if they are not known. */
    long resident();

    /** Returns what its last output was, as the end of a message. */
    String explanation();

    /** Returns what could not be measured, and why. */
    List<String> problems();

    @Override
    void close();
}
