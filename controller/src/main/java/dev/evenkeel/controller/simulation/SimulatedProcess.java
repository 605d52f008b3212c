package dev.evenkeel.controller.simulation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An operating-system process, as far as others can tell: it runs a program, dies, stands still, is started again. */
public final class SimulatedProcess {
    private final Simulation simulation;
    private final String name;
    private final Program program;
    private @Nullable Incarnation incarnation;
    private int incarnations;
    private long frozenUntil = Long.MIN_VALUE;

    SimulatedProcess(Simulation simulation, String name, Program program) {
        this.simulation = simulation;
        this.name = name;
        this.program = program;
    }

    /** For people. */
    public String name() {
        return name;
    }

    /** Whether it is there: started, and not dead. */
    public boolean alive() {
        return incarnation != null;
    }

    /** How often it was started. */
    public int starts() {
        return incarnations;
    }

    /** Starts it, when it is not there. */
    public void start() {
        if (incarnation == null) {
            Incarnation next = new Incarnation(this, ++incarnations, simulation.split());
            incarnation = next;
            frozenUntil = Long.MIN_VALUE;
            simulation.begin(next, program);
        }
    }

    /** Kills it: nothing of it runs from now on, and what it had open is closed. */
    public void crash() {
        Incarnation present = incarnation;
        if (present != null) {
            simulation.trace(name, "dies");
            incarnation = null;
            present.die();
            simulation.monitor().died(present);
        }
    }

    /** Kills it, and starts it again after this time. */
    public void crash(Duration downtime) {
        if (incarnation != null) {
            crash();
            simulation.at(downtime, "start " + name, this::start);
        }
    }

    /** Stops it cleanly, in a task of its own; it is gone when that has ended. */
    public void stop() {
        stop(() -> {});
    }

    /** Stops it cleanly, and starts it again this time after it has ended. */
    public void restart(Duration downtime) {
        stop(() -> simulation.at(downtime, "start " + name, this::start));
    }

    private void stop(Runnable then) {
        Incarnation present = incarnation;
        AutoCloseable running = present == null ? null : present.running;
        if (present == null || running == null) {
            return;
        }
        present.running = null;
        simulation.stopping(present, running, () -> {
            if (incarnation == present) {
                crash();
                then.run();
            }
        });
    }

    /** Lets it stand still for this time: none of its tasks runs; then they go on as if nothing had been. */
    public void freeze(Duration duration) {
        if (incarnation != null) {
            simulation.trace(name, "stands still for " + duration);
            frozenUntil = Math.max(frozenUntil, simulation.nanos() + duration.toNanos());
        }
    }

    /** Ends its standing still. */
    public void thaw() {
        frozenUntil = Math.min(frozenUntil, simulation.nanos());
    }

    /** When it goes on, in nanoseconds since the start; in the past when it does not stand still. */
    long frozenUntil() {
        return frozenUntil;
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }
}
