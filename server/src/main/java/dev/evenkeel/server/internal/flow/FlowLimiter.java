package dev.evenkeel.server.internal.flow;

import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Flow;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits the requests in flight: shares them among priority levels, and within a level among flows.
 *
 * <p><b>Problem.</b> One client that sends many slow requests must not keep others from being served. A plain limit
 * refuses the latest request, of any client.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A level always may use its own share of the limit less what it lends, whatever other levels do.
 *   <li>What is left may be used by all levels, by each up to what it may borrow; a free place goes to the waiting level
 *       that uses the least of its own share.
 *   <li>Flows of a level take turns; the requests of one flow are served in their order.
 *   <li>A request that is not served after the longest wait, or finds the queue full, is refused.
 *   <li>Requests of an exempt level are never refused. Requests without a level only share the limit.
 * </ol>
 *
 * <p>Unlike upstream, flows have a queue each instead of a hand of shuffled ones, every request takes one seat, and what a
 * level may borrow follows at once instead of every ten seconds.
 *
 * <p><b>Cost.</b> A few steps under one lock for a request of a level that is not exempt.
 */
public final class FlowLimiter {
    private final int limit;
    private final Duration longestWait;
    private final Map<String, PartitionLevels> partitions = new HashMap<>();
    private int executing;
    private int waiting;

    /** The right to be executed. */
    @FunctionalInterface
    public interface Seat {
        /** Gives the right to the next request. */
        void leave();
    }

    /**
     * Creates a limiter.
     *
     * @param limit the number of requests in flight, exempt ones aside
     * @param longestWait how long a request may wait for which nothing else is said
     */
    public FlowLimiter(int limit, Duration longestWait) {
        this.limit = limit;
        this.longestWait = longestWait;
    }

    /** The levels of a partition. */
    private final class PartitionLevels {
        private final Map<String, Usage> levels = new HashMap<>();
        private FlowConfiguration configuration;

        PartitionLevels(FlowConfiguration configuration) {
            this.configuration = configuration;
            configure(configuration);
        }

        void configure(FlowConfiguration next) {
            configuration = next;
            long sum = next.shares();
            next.levels().values().stream()
                    .filter(level -> !level.exempt())
                    .forEach(level -> levels.computeIfAbsent(level.name(), name -> new Usage())
                            .configure(level, sum));
            levels.entrySet()
                    .removeIf(entry -> !next.levels().containsKey(entry.getKey())
                            && entry.getValue().executing == 0
                            && entry.getValue().waiting == 0);
        }

        /** Returns the places that other levels could claim at once. */
        private int reservedFor(Usage except) {
            int reserved = 0;
            for (Usage usage : levels.values()) {
                if (usage != except) {
                    reserved += Math.max(0, usage.guaranteed - usage.executing);
                }
            }
            return reserved;
        }

        boolean admits(Usage usage) {
            return usage.executing < usage.guaranteed
                    || (usage.executing < usage.most && executing + reservedFor(usage) < limit);
        }

        /** Returns the seats that a level may use at present. */
        int current(Usage usage) {
            int free = Math.max(0, limit - executing - reservedFor(usage));
            return Math.max(usage.guaranteed, Math.min(usage.most, usage.executing + free));
        }

        /** Gives free places to waiting requests. */
        void grant() {
            Optional<Usage> next = next();
            while (next.isPresent()) {
                Usage usage = next.get();
                usage.executing++;
                executing++;
                usage.poll().countDown();
                next = next();
            }
        }

        private Optional<Usage> next() {
            return levels.values().stream()
                    .filter(usage -> usage.waiting > 0 && admits(usage))
                    .min(Comparator.comparingDouble(usage -> (double) usage.executing / Math.max(1, usage.nominal)));
        }
    }

    /** The requests of a level. */
    private final class Usage {
        private final Map<String, Deque<CountDownLatch>> flows = new LinkedHashMap<>();
        private int nominal;
        private int guaranteed;
        private int most;
        private long maxWaiting;
        private long maxWaitingOfFlow;
        private int executing;
        private int waiting;

        void configure(Level level, long sum) {
            LevelSeats seats = LevelSeats.of(level, sum, limit);
            nominal = seats.nominal();
            guaranteed = seats.lower();
            most = seats.upper();
            maxWaiting = level.queues() * level.queueLength();
            maxWaitingOfFlow = level.hand() * level.queueLength();
        }

        Optional<CountDownLatch> queue(String flow) {
            Deque<CountDownLatch> queue = flows.get(flow);
            if (waiting >= maxWaiting || (queue != null && queue.size() >= maxWaitingOfFlow)) {
                return Optional.empty();
            }
            CountDownLatch place = new CountDownLatch(1);
            flows.computeIfAbsent(flow, name -> new ArrayDeque<>()).add(place);
            waiting++;
            FlowLimiter.this.waiting++;
            return Optional.of(place);
        }

        /** Removes the first request of the flow whose turn it is; the flow moves to the end. */
        CountDownLatch poll() {
            Iterator<Map.Entry<String, Deque<CountDownLatch>>> all =
                    flows.entrySet().iterator();
            Map.Entry<String, Deque<CountDownLatch>> first = all.next();
            String name = first.getKey();
            Deque<CountDownLatch> queue = first.getValue();
            all.remove();
            CountDownLatch place = queue.remove();
            if (!queue.isEmpty()) {
                flows.put(name, queue);
            }
            waiting--;
            FlowLimiter.this.waiting--;
            return place;
        }

        void leave(String flow, CountDownLatch place) {
            Deque<CountDownLatch> queue = flows.get(flow);
            if (queue != null && queue.remove(place)) {
                waiting--;
                FlowLimiter.this.waiting--;
                if (queue.isEmpty()) {
                    flows.remove(flow);
                }
            }
        }
    }

    /** Returns the seats of all levels of a partition, by the name of the level. */
    public Map<String, LevelSeats> seats(String partition, FlowConfiguration configuration) {
        long sum = configuration.shares();
        Map<String, LevelSeats> seats = new HashMap<>();
        synchronized (partitions) {
            PartitionLevels levels = levels(partition, configuration);
            configuration.levels().forEach((name, level) -> {
                LevelSeats configured = LevelSeats.of(level, sum, limit);
                Usage usage = levels.levels.get(name);
                seats.put(name, usage == null ? configured : configured.current(levels.current(usage)));
            });
        }
        return seats;
    }

    /** Returns the levels of a partition, configured as given. */
    private PartitionLevels levels(String partition, FlowConfiguration configuration) {
        PartitionLevels levels = partitions.computeIfAbsent(partition, unused -> new PartitionLevels(configuration));
        if (!levels.configuration.equals(configuration)) {
            levels.configure(configuration);
            levels.grant();
        }
        return levels;
    }

    /** Returns the number of waiting requests. */
    int waiting() {
        synchronized (partitions) {
            return waiting;
        }
    }

    /** Returns the right to execute a request that has no level, if the limit is not reached. */
    public Optional<Seat> enter() {
        synchronized (partitions) {
            if (executing >= limit) {
                return Optional.empty();
            }
            executing++;
        }
        return Optional.of(() -> {
            synchronized (partitions) {
                executing--;
                grant();
            }
        });
    }

    /** Returns the right to execute a request, waiting for it; empty if it is refused. */
    public Optional<Seat> enter(String partition, FlowConfiguration configuration, Flow flow) {
        return enter(partition, configuration, flow, longestWait, () -> () -> {});
    }

    /**
     * Returns the right to execute a request, waiting for it; empty if it is refused.
     *
     * @param wait how long it may wait
     * @param queued called when it begins to wait; returns what to run when it ends
     */
    public Optional<Seat> enter(
            String partition, FlowConfiguration configuration, Flow flow, Duration wait, Supplier<Runnable> queued) {
        if (flow.level().exempt()) {
            return Optional.of(() -> {});
        }
        String name = flow.schema().name() + "/" + flow.distinguisher();
        PartitionLevels levels;
        Usage usage;
        CountDownLatch place;
        synchronized (partitions) {
            levels = levels(partition, configuration);
            usage = levels.levels.computeIfAbsent(flow.level().name(), unused -> new Usage());
            if (usage.waiting == 0 && levels.admits(usage)) {
                usage.executing++;
                executing++;
                return Optional.of(seat(usage));
            }
            Optional<CountDownLatch> free = usage.queue(name);
            if (free.isEmpty()) {
                return Optional.empty();
            }
            place = free.get();
        }
        Runnable ended = queued.get();
        try {
            return await(place, wait) || !withdraw(usage, name, place) ? Optional.of(seat(usage)) : Optional.empty();
        } finally {
            ended.run();
        }
    }

    private void grant() {
        if (waiting > 0) {
            partitions.values().forEach(PartitionLevels::grant);
        }
    }

    private static boolean await(CountDownLatch place, Duration wait) {
        try {
            return place.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Removes a request from its queue; returns false if it was granted its seat meanwhile. */
    private boolean withdraw(Usage usage, String flow, CountDownLatch place) {
        synchronized (partitions) {
            if (place.getCount() == 0) {
                return false;
            }
            usage.leave(flow, place);
            return true;
        }
    }

    private Seat seat(Usage usage) {
        return () -> {
            synchronized (partitions) {
                usage.executing--;
                executing--;
                grant();
            }
        };
    }
}
