package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.write.Leadership;
import dev.evenkeel.engine.spi.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, in the order of their submission, on threads of an executor.
 *
 * <p>With an executor that runs in the calling thread, a task and everything that it entails is done when {@link #add}
 * returns, unless another thread is running it already: tests get cascades without waiting.
 *
 * <p>A task that fails since the store cannot write, as on a full disk, waits for the next commit of any object, which
 * shows that the store works again. A task that finds that another engine leads is dropped: the leader does its work.
 */
public final class SerialQueue {
    private static final Logger LOG = LoggerFactory.getLogger(SerialQueue.class);

    private final Executor executor;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Queue<Runnable> postponed = new ConcurrentLinkedQueue<>();
    private boolean running;

    public SerialQueue(Executor executor) {
        this.executor = executor;
    }

    /** Runs a task after those that were added before. */
    public void add(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::drain);
    }

    /** Runs the postponed tasks: something was committed. */
    public void retry() {
        if (postponed.isEmpty()) {
            return; // at almost every commit, and without a lock
        }
        List<Runnable> again = new ArrayList<>();
        for (Runnable task = postponed.poll(); task != null; task = postponed.poll()) {
            again.add(task);
        }
        again.forEach(this::add);
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
            } catch (ApiException e) {
                if (e.getCause() instanceof StoreException) {
                    LOG.warn("a service of the engine waits for the store: {}", e.getMessage());
                    postponed.add(task);
                } else {
                    LOG.atWarn().setCause(e).log("a service of the engine failed");
                }
            } catch (Leadership.NotLeaderException e) {
                LOG.debug("a service of the engine ends its task: {}", e.getMessage());
            } catch (RuntimeException e) {
                // Work left by a failed task is done by the next one about the same object.
                LOG.atWarn().setCause(e).log("a service of the engine failed");
            }
        }
    }
}
