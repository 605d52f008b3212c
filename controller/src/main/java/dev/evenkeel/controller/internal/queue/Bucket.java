package dev.evenkeel.controller.internal.queue;

import dev.evenkeel.controller.RateLimiter;
import java.util.random.RandomGenerator;

/**
 * A token bucket. Instead of tokens it keeps the time at which the next one would be free if there were no burst; that
 * time advances with each token, and is never earlier than the length of the burst before now.
 */
public final class Bucket implements RateLimiter.Delays {
    private final long interval;
    private final long burst;
    private long next;
    private boolean used;

    public Bucket(double perSecond, int burst) {
        this.interval = (long) Math.clamp(1e9 / perSecond, 1.0, (double) Nanos.LONGEST);
        this.burst = (long) Math.min((double) interval * burst, (double) Nanos.LONGEST);
    }

    @Override
    public synchronized long nanos(Object key, int failures, long now, RandomGenerator random) {
        long full = now - burst;
        // differences, since such clocks may overflow
        if (!used || next - full < 0) {
            used = true;
            next = full;
        }
        if (next - now < Nanos.LONGEST) {
            next += interval;
        }
        return Math.max(0, next - now);
    }
}
