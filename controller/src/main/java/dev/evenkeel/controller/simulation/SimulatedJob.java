package dev.evenkeel.controller.simulation;

import dev.evenkeel.controller.schedule.Scheduler;
import java.util.concurrent.CompletableFuture;

/** A job of a process: what {@link Thread} is, as far as the machinery sees it. */
final class SimulatedJob implements Scheduler.Job {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Runnable onInterrupt = () -> {};
    private boolean interrupted;

    /** What an interrupt does beside leaving its mark. */
    void onInterrupt(Runnable value) {
        onInterrupt = value;
    }

    @Override
    public void interrupt() {
        if (!ended.isDone()) {
            interrupted = true;
            onInterrupt.run();
        }
    }

    boolean interrupted() {
        return interrupted;
    }

    /** Whether it is interrupted; it is not any more then. */
    boolean takeInterrupt() {
        boolean was = interrupted;
        interrupted = false;
        return was;
    }

    void end() {
        ended.complete(null);
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Nobody knows: all are on one stack. */
    @Override
    public StackTraceElement[] stack() {
        return new StackTraceElement[0];
    }
}
