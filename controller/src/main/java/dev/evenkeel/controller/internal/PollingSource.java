package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Source;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls for keys. The next poll comes a period after the end of the previous one, also when that failed or took long.
 */
public record PollingSource(String name, Duration period, Callable<? extends Collection<ObjectKey>> look)
        implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(Source.class);

    public PollingSource {
        if (!period.isPositive()) {
            throw new IllegalArgumentException("period must be positive: " + period);
        }
    }

    @Override
    public AutoCloseable start(Sink sink, Scheduler scheduler) {
        Loop loop = new Loop(sink, scheduler);
        loop.again();
        return loop;
    }

    private final class Loop implements AutoCloseable {
        private final Sink sink;
        private final Scheduler scheduler;
        private volatile boolean closed;
        private volatile Scheduler.@Nullable Job job;

        Loop(Sink sink, Scheduler scheduler) {
            this.sink = sink;
            this.scheduler = scheduler;
        }

        void again() {
            Scheduler.Timer unused = scheduler.schedule(period, () -> {
                if (!closed) {
                    job = scheduler.execute("source " + name, this::run);
                }
            });
        }

        private void run() {
            try {
                if (!closed) {
                    for (ObjectKey key : look.call()) {
                        sink.add(key, "seen");
                    }
                }
            } catch (Exception e) {
                LOG.atWarn().addKeyValue("source", name).setCause(e).log("polling failed");
            } finally {
                if (!closed) {
                    again();
                }
            }
        }

        @Override
        public void close() {
            closed = true;
            Scheduler.Job running = job;
            if (running != null) {
                running.interrupt();
            }
        }
    }
}
