package dev.evenkeel.load.internal.measure;

import dev.evenkeel.load.result.Series;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads meters at an interval, and makes series of their figures.
 *
 * <h2>The problem</h2>
 *
 * <p>Runs take seconds or weeks, and what is measured slows down, restarts and ends. The measuring itself uses CPU on the
 * machine that is measured.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A series has at most the given number of samples. A longer run has a coarser one.
 *   <li>A rate is the growth of a total between two readings divided by the time between them, whatever the interval. A
 *       total that has decreased, as that of a restarted process, has no rate until the next reading.
 *   <li>A meter that fails has no samples at that time, and does not keep others from theirs.
 *   <li>Readings are at multiples of the interval. One that takes longer skips those that it misses.
 *   <li>The cost is a series of its own: {@code harness.sampling}, the CPU of the only thread that reads.
 * </ol>
 */
public final class Sampler implements AutoCloseable {
    /** The default interval: with all meters of one JVM it costs less than 2 % of a core. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    private static final int CAPACITY = 2_000;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final List<Meter> meters;
    private final Duration interval;
    private final int capacity;
    private final LongSupplier nanos;
    private final LongSupplier cpu;
    private final long origin;

    /** With the lock. */
    private final SortedMap<String, SampleBuffer> buffers = new TreeMap<>();

    /** The problems of the meters that failed the last time. With the lock. */
    private final IdentityHashMap<Meter, String> problems = new IdentityHashMap<>();

    // of the thread that reads
    private final Map<String, Total> totals = new HashMap<>();

    private @Nullable Thread thread;
    private volatile boolean closed;

    private record Total(long nanos, double value) {}

    /**
     * Creates a sampler, not yet started.
     *
     * @param interval the time between two readings
     * @param nanos the time: nanoseconds that only grow. The samples count from now
     */
    public Sampler(Collection<? extends Meter> meters, Duration interval, LongSupplier nanos) {
        this(
                meters,
                interval,
                CAPACITY,
                nanos,
                () -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    Sampler(Collection<? extends Meter> meters, Duration interval, int capacity, LongSupplier nanos, LongSupplier cpu) {
        if (interval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("interval must be at least 1 ms: " + interval);
        }
        this.meters = List.copyOf(meters);
        this.interval = interval;
        this.capacity = capacity;
        this.nanos = nanos;
        this.cpu = cpu;
        this.origin = nanos.getAsLong();
    }

    /** Starts to read in a thread of its own: now, and then at each interval. */
    public synchronized Sampler start() {
        if (thread != null || closed) {
            throw new IllegalStateException("the sampler was started before: create a new one");
        }
        thread = Thread.ofPlatform().daemon().name("evenkeel load sampler").start(this::run);
        return this;
    }

    private void run() {
        long next = nanos.getAsLong();
        while (!closed) {
            try {
                sample();
            } catch (InterruptedException e) {
                return;
            }
            next += interval.toNanos();
            long late = nanos.getAsLong() - next;
            if (late > 0) {
                next += Math.ceilDiv(late, interval.toNanos()) * interval.toNanos();
            }
            for (long rest = next - nanos.getAsLong(); rest > 0 && !closed; rest = next - nanos.getAsLong()) {
                LockSupport.parkNanos(this, rest);
                if (Thread.interrupted()) {
                    return;
                }
            }
        }
    }

    /** Reads all meters once. */
    void sample() throws InterruptedException {
        for (Meter meter : meters) {
            try {
                List<Figure> figures = meter.figures();
                long now = nanos.getAsLong();
                synchronized (this) {
                    problems.remove(meter);
                    figures.forEach(figure -> add(now, figure));
                }
            } catch (IOException | RuntimeException e) {
                failed(meter, e);
            }
        }
        long used = cpu.getAsLong();
        long now = nanos.getAsLong();
        if (used >= 0) {
            synchronized (this) {
                add(now, Figure.total("harness.sampling", "cores", used / 1e9));
            }
        }
    }

    private void failed(Meter meter, Exception failure) {
        String problem = failure instanceof IOException ? failure.getMessage() : failure.toString();
        boolean first;
        synchronized (this) {
            first = problems.put(meter, String.valueOf(problem)) == null;
        }
        if (first) {
            LOG.atWarn().addKeyValue("problem", problem).setCause(failure).log("a meter can't be read");
        }
    }

    private void add(long now, Figure figure) {
        double value = figure.value();
        if (figure.total()) {
            Total before = totals.put(figure.name(), new Total(now, value));
            if (before == null || value < before.value || now == before.nanos) {
                return;
            }
            value = (value - before.value) / ((now - before.nanos) / 1e9);
        }
        buffers.computeIfAbsent(figure.name(), name -> new SampleBuffer(name, figure.unit(), capacity))
                .add(Duration.ofNanos(now - origin), value);
    }

    /** Returns the series so far, by name. Those of figures that were never read are missing. */
    public synchronized List<Series> series() {
        return buffers.values().stream().map(SampleBuffer::series).toList();
    }

    /** Returns why meters could not be read the last time. */
    public synchronized List<String> problems() {
        return List.copyOf(problems.values());
    }

    /** Ends the readings; waits for a running one, but no longer than some seconds. */
    @Override
    public void close() {
        closed = true;
        Thread reading;
        synchronized (this) {
            reading = thread;
        }
        if (reading == null) {
            return;
        }
        LockSupport.unpark(reading);
        try {
            // an interrupt would spoil a reading, and is for one that does not end
            if (!reading.join(GRACE)) {
                reading.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
