package dev.evenkeel.check.internal.run;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.internal.drive.ControllerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** One process of the controller: started again and again, each time with a token of its own. */
final class Replica {
    final int number;
    private final ControllerProcess process;
    private final Path kubeconfig;
    private final IntFunction<String> kubeconfigs;
    private final ProcessLoad load = new ProcessLoad();

    /** The leases that it holds. */
    final Set<ObjectKey> leases = new HashSet<>();

    private int starts;
    private long startedNanos;
    private volatile boolean ready;
    private volatile boolean paused;
    private boolean down = true;

    /**
     * Creates a process that is not started.
     *
     * @param kubeconfigs the text of the kubeconfig of each start, from 1
     * @param output receives the lines that it prints
     */
    Replica(
            int number,
            List<String> command,
            Path kubeconfig,
            IntFunction<String> kubeconfigs,
            Consumer<String> output) {
        this.number = number;
        this.kubeconfig = kubeconfig;
        this.kubeconfigs = kubeconfigs;
        process = new ControllerProcess(command, kubeconfig, output);
    }

    void start() {
        starts++;
        try {
            Files.writeString(kubeconfig, kubeconfigs.apply(starts));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ready = false;
        paused = false;
        down = false;
        startedNanos = System.nanoTime();
        process.start();
    }

    void kill() {
        down = true;
        try {
            process.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void pause(boolean stopped) {
        try {
            process.pause(stopped);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        paused = stopped;
    }

    /** Notes that a request has arrived. */
    void ready() {
        ready = true;
    }

    boolean isReady() {
        return ready;
    }

    boolean isPaused() {
        return paused;
    }

    /** Returns true if it was killed, and not started since. */
    boolean isDown() {
        return down;
    }

    /** Returns true if it has ended by itself. */
    boolean hasEnded() {
        return !down && !process.isAlive();
    }

    int starts() {
        return starts;
    }

    long sinceStart() {
        return System.nanoTime() - startedNanos;
    }

    /** Returns the share of one processor that it used since the last call. */
    double load() {
        return process.isAlive() ? load.since(process.pid()) : 0;
    }

    /** Returns true if a thread of it runs, or waits for a processor. */
    boolean runs() {
        return process.isAlive() && ProcessLoad.runs(process.pid());
    }

    List<String> lastLines() {
        return process.lastLines();
    }
}
