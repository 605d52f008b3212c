package dev.evenkeel.load.internal.drive;

import java.util.concurrent.locks.LockSupport;

/** The time of a run. */
public interface Pace {
    /** The time of the machine. */
    Pace REAL = new Pace() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void until(long nanos) throws InterruptedException {
            for (long left = nanos - nanos(); left > 0; left = nanos - nanos()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.parkNanos(left);
            }
        }
    };

    /** Returns the nanoseconds since some time. */
    long nanos();

    /**
     * Waits until a time.
     *
     * @throws InterruptedException when interrupted while it waits
     */
    void until(long nanos) throws InterruptedException;
}
