package dev.evenkeel.engine.internal.service;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, in the order of their submission, on threads of an executor.
 *
 * <p>With an executor that runs in the calling thread, a task and everything that it entails is done when {@link #add}
 * returns, unless another thread is running it already: tests get cascades without waiting.
 */
public final class SerialQueue {
    private static final Logger LOG = LoggerFactory.getLogger(SerialQueue.class);

    private final Executor executor;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    public SerialQueue(Executor executor) {
        this.executor = executor;
    }

    void add(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::drain);
    }

    private void drain() {
        while (true) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                // Work left by a failed task is done by the next one about the same object.
                LOG.atWarn().setCause(e).log("a service of the engine failed");
            }
        }
    }
}
