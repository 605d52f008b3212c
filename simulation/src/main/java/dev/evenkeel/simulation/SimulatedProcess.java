package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated operating-system process: it runs a program, dies, is frozen, is started again. */
public final class SimulatedProcess {
    private final Simulation simulation;
    private final String name;
    private final Program program;
    private final List<FaultyWatch<?>> watches = new ArrayList<>();
    private @Nullable VirtualScheduler scheduler;
    private @Nullable AutoCloseable running;
    private int starts;

    SimulatedProcess(Simulation simulation, String name, Program program) {
        this.simulation = simulation;
        this.name = name;
        this.program = program;
    }

    /** Returns the name of the process in traces. */
    public String name() {
        return name;
    }

    /** Returns true if it has been started and is not dead. */
    public boolean alive() {
        return scheduler != null;
    }

    /** Returns how often it was started. */
    public int starts() {
        return starts;
    }

    /** Starts the process; does nothing if it is alive. */
    public void start() {
        if (scheduler == null) {
            VirtualScheduler next = simulation.scheduler(name, name + "#" + ++starts);
            scheduler = next;
            simulation.run("starts", next, Task.Sort.THREAD, () -> {
                try {
                    running = program.start(simulation.client(this, next), next);
                } catch (Exception e) {
                    next.requireAlive();
                    simulation.trace(
                            next.toString(), "does not start: " + e.getClass().getSimpleName());
                    crash(simulation.downtime());
                }
            });
        }
    }

    /** Kills the process: its tasks do not run from now on, and its watches are closed. */
    public void crash() {
        VirtualScheduler present = scheduler;
        if (present != null) {
            simulation.trace(name, "dies");
            scheduler = null;
            running = null;
            present.kill();
            List.copyOf(watches).forEach(FaultyWatch::close);
            simulation.monitor().died(present);
        }
    }

    /** Kills the process, and starts it again after this time. */
    public void crash(Duration downtime) {
        if (scheduler != null) {
            crash();
            simulation.at(downtime, "start " + name, this::start);
        }
    }

    /** Stops the process cleanly, in a task of its own; it is dead when that has ended. */
    public void stop() {
        stop(() -> {});
    }

    /** Stops the process cleanly, and starts it again this time after it has ended. */
    public void restart(Duration downtime) {
        stop(() -> simulation.at(downtime, "start " + name, this::start));
    }

    private void stop(Runnable then) {
        VirtualScheduler present = scheduler;
        AutoCloseable program = running;
        if (present == null || program == null) {
            return;
        }
        running = null;
        simulation.run("stops", present, Task.Sort.ALONE, () -> {
            try {
                program.close();
            } catch (Exception e) {
                present.requireAlive();
                throw new IllegalStateException("it did not stop: " + e, e);
            } finally {
                if (scheduler == present) {
                    crash();
                    then.run();
                }
            }
        });
    }

    /** Freezes the process for this time: its tasks do not run; then they continue as if nothing had happened. */
    public void freeze(Duration duration) {
        if (scheduler != null) {
            simulation.trace(name, "is frozen for " + duration);
            scheduler.freezeUntil(scheduler.nanoTime() + duration.toNanos());
        }
    }

    /** Ends a freeze. */
    public void thaw() {
        if (scheduler != null) {
            scheduler.thaw();
        }
    }

    /** Records an open watch, which is closed when the process dies. */
    void opened(FaultyWatch<?> watch) {
        watches.removeIf(FaultyWatch::released);
        watches.add(watch);
    }

    @Override
    public String toString() {
        return name;
    }

    /** The program of a process: it is started again after each crash, without any state. */
    @FunctionalInterface
    public interface Program {
        /**
         * Starts the program, in the first task of the process; it continues in tasks of its own.
         *
         * @param client its connection to the server, with the faults of connections
         * @param scheduler its threads, time and randomness
         * @return stops it cleanly; may wait
         * @throws Exception if it does not start; the process then dies, and is started again
         */
        AutoCloseable start(Client client, Scheduler scheduler) throws Exception;
    }
}
