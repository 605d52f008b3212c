package dev.evenkeel.benchmarks;

import java.lang.management.ManagementFactory;

/** Measures memory in use. */
final class Heap {
    private Heap() {}

    /** Returns the bytes of live objects, after garbage collection. */
    static long used() throws InterruptedException {
        long last = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            System.gc();
            Thread.sleep(20); // lets cleaners run before the next collection
            long now = now();
            if (now >= last * 0.999) {
                return Math.min(now, last);
            }
            last = now;
        }
        return last;
    }

    /** Returns the bytes of all objects, unreachable ones included. */
    static long now() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
