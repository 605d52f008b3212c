package dev.evenkeel.benchmarks;

import java.lang.management.ManagementFactory;

/** How much memory is in use. */
final class Heap {
    private Heap() {}

    /** Bytes of live objects, after collecting the others. */
    static long used() throws InterruptedException {
        long last = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            System.gc();
            Thread.sleep(20); // lets cleaners run, whose work the next collection finds
            long now = now();
            if (now >= last * 0.999) {
                return Math.min(now, last);
            }
            last = now;
        }
        return last;
    }

    /** Bytes of all objects, also of those that nobody needs any more. */
    static long now() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
