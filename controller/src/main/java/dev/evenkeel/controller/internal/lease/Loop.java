package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Leases;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Repeats a body until stopped; whatever a round throws is logged, and the next round follows.
 *
 * <p>A round that takes too long, since a call to the API hangs, is interrupted and abandoned, and the next begins. So
 * two may run at once; an abandoned round must not change shared state: it checks whether it is still the current one,
 * under the same lock. Its writes to the API may arrive late, which is safe since they are conditional.
 */
final class Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final Scheduler scheduler;
    private final String name;
    private final Duration patience;
    private final Duration retry;
    private final Function<BooleanSupplier, Duration> body;

    private long time;
    private final AtomicBoolean failing = new AtomicBoolean();
    private boolean running;
    private boolean again;
    private boolean stopped;
    private Scheduler.@Nullable Timer timer;
    private Scheduler.@Nullable Timer watchdog;
    private Scheduler.@Nullable Job job;

    /** Creates a loop; a round receives whether it is still the current one, and returns the delay before the next. */
    Loop(Scheduler scheduler, String name, Leases.Timing timing, Function<BooleanSupplier, Duration> body) {
        this.scheduler = scheduler;
        this.name = name;
        this.patience = timing.renewDeadline().dividedBy(2);
        this.retry = timing.retry();
        this.body = body;
    }

    /** Runs a round now, or right after the present one. */
    synchronized void wake() {
        if (running) {
            again = true;
        } else {
            begin();
        }
    }

    /** Stops the loop; a running round is abandoned. */
    synchronized void stop() {
        stopped = true;
        time++;
        cancel(timer);
        cancel(watchdog);
    }

    private static void cancel(Scheduler.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private synchronized void begin() {
        if (stopped) {
            return;
        }
        cancel(timer);
        running = true;
        again = false;
        long mine = ++time;
        job = scheduler.execute(name, () -> run(mine));
        watchdog = scheduler.schedule(patience, () -> overdue(mine));
    }

    private synchronized boolean current(long mine) {
        return time == mine;
    }

    private synchronized void overdue(long mine) {
        if (!current(mine) || !running) {
            return;
        }
        LOG.atWarn().addKeyValue("task", name).log("no answer from the API within {}: trying again", patience);
        if (job != null) {
            job.interrupt();
        }
        begin();
    }

    private void run(long mine) {
        Duration next = retry;
        try {
            next = body.apply(() -> current(mine));
            failing.set(false);
        } catch (RuntimeException e) {
            if (current(mine)) {
                // an outage is logged once, not every other second
                Level level = failing.getAndSet(true) ? Level.DEBUG : Level.WARN;
                LOG.atLevel(level).addKeyValue("task", name).setCause(e).log("failed: trying again in {}", next);
            }
        } finally {
            ended(mine, next);
        }
    }

    private synchronized void ended(long mine, Duration next) {
        if (!current(mine) || stopped) {
            return;
        }
        running = false;
        cancel(watchdog);
        if (again) {
            begin();
        } else {
            timer = scheduler.schedule(next, () -> due(mine));
        }
    }

    private synchronized void due(long mine) {
        if (current(mine) && !running) {
            begin();
        }
    }
}
