package dev.evenkeel.server.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells when the heap is nearly full, so that writes are refused while reads and deletions are still served.
 *
 * <p><b>Problem.</b> Garbage is a part of what is in use, so its amount says little. What remained after the last
 * collection is memory that is needed; but after a deletion the next collection of it may come much later. So when
 * little is free, a collection is requested, not more often than every {@link #INTERVAL}.
 */
public final class MemoryGuard {
    private static final double LIMIT = 0.9;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final LongSupplier kept;
    private final long limit;
    private final Runnable collection;
    private final LongSupplier nanos;
    private long requested;
    private boolean collecting;

    /**
     * @param kept the bytes that remained after the last collection
     * @param max the most bytes that there may be
     * @param collection starts a collection, without waiting for its end
     */
    MemoryGuard(LongSupplier kept, long max, Runnable collection, LongSupplier nanos) {
        this.kept = kept;
        this.limit = (long) (max * LIMIT);
        this.collection = collection;
        this.nanos = nanos;
    }

    /** The guard of the heap of this process, which all servers in it share. */
    private static final class Heap {
        static final MemoryGuard GUARD = find();
    }

    /** Returns the guard of the heap of this process; one that is never exhausted if the JVM does not tell. */
    public static MemoryGuard ofHeap() {
        return Heap.GUARD;
    }

    private static MemoryGuard find() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            boolean old = pool.getName().contains("Old") || pool.getName().contains("Tenured");
            long max = old ? pool.getUsage().getMax() : -1;
            if (max > 0 && pool.isCollectionUsageThresholdSupported()) {
                return new MemoryGuard(
                        () -> {
                            MemoryUsage usage = pool.getCollectionUsage();
                            return usage == null ? 0 : usage.getUsed();
                        },
                        max,
                        () -> Thread.ofPlatform()
                                .daemon()
                                .name("evenkeel-memory")
                                .start(System::gc),
                        System::nanoTime);
            }
        }
        return new MemoryGuard(() -> 0, Long.MAX_VALUE, () -> {}, System::nanoTime);
    }

    /** Returns true if the heap is nearly full of what is needed. */
    public boolean exhausted() {
        if (kept.getAsLong() <= limit) {
            return false;
        }
        synchronized (this) {
            long now = nanos.getAsLong();
            if (!collecting || now - requested > INTERVAL.toNanos()) {
                collecting = true;
                requested = now;
                collection.run();
            }
        }
        return true;
    }
}
