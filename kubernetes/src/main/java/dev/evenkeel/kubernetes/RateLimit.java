package dev.evenkeel.kubernetes;

/**
 * A bucket of permits that fills at a rate: a caller that takes a future permit gets the time to wait for it. So all
 * callers wait in one line, and no thread and no timer is needed.
 */
final class RateLimit {
    private final double perNano;
    private final double burst;
    private double permits;
    private long at;

    RateLimit(double perSecond, int burst, long now) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException(
                    "a rate limit needs more than 0 requests a second and a burst of 1 or more: " + perSecond + ", "
                            + burst);
        }
        perNano = perSecond / 1e9;
        this.burst = burst;
        permits = burst;
        at = now;
    }

    /** Takes a permit; returns the nanoseconds to wait for it. */
    synchronized long take(long now) {
        permits = Math.min(burst, permits + Math.max(0, now - at) * perNano);
        at = now;
        permits -= 1;
        return permits >= 0 ? 0 : (long) Math.ceil(-permits / perNano);
    }
}
