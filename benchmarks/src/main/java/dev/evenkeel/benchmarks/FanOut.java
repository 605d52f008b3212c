package dev.evenkeel.benchmarks;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The rate at which many watches receive the changes of one writer. */
final class FanOut {
    private static final int LAG = 64;

    private FanOut() {}

    /**
     * Returns the deliveries per second while one client writes as fast as all watches keep up, within a small lag.
     *
     * @param delivered returns how many events all watches together have received
     * @param write writes an object, given the number of the write; each watch receives one event of it
     */
    static double perSecond(RunLength length, int watches, LongSupplier delivered, Load.Action write) throws Exception {
        long begin = System.nanoTime() + length.warmup().toNanos();
        int written = 0;
        long from = -1;
        long began = 0;
        while (true) {
            long now = System.nanoTime();
            long received = delivered.getAsLong();
            if (from < 0 && now > begin) {
                from = received;
                began = now;
            }
            if (from >= 0 && now - began > length.measured().toNanos()) {
                await(delivered, (long) written * watches);
                return (received - from) / ((now - began) / 1e9);
            }
            if ((long) written * watches - received < (long) LAG * watches) {
                write.run(written++);
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** Waits until all watches have received everything; then no event may be missing or duplicated. */
    static void await(LongSupplier delivered, long events) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (delivered.getAsLong() < events) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "watches got " + delivered.getAsLong() + " of " + events + " events in a minute");
            }
            LockSupport.parkNanos(1_000_000);
        }
        if (delivered.getAsLong() > events) {
            throw new IllegalStateException(
                    "watches got " + delivered.getAsLong() + " instead of " + events + " events");
        }
    }
}
