package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Backoff;
import java.time.Duration;

/**
 * How lists and watches are made.
 *
 * @param mode how objects are listed
 * @param pageSize of lists in pages
 * @param backoff delays after failures
 * @param healthyAfter how long a watch must have run for the delays to begin again with the first
 * @param watchAtLeast the least time after which servers are asked to end watches; up to as much again is added by chance
 * @param silence how long a watch may say nothing, not even by a bookmark, before it is given up and made again
 * @param callTimeout how long a server may take for the answer to a list, for a page of one, or to begin a watch, before
 *     that is given up and tried again
 */
public record ReflectorOptions(
        Mode mode,
        int pageSize,
        Backoff backoff,
        Duration healthyAfter,
        Duration watchAtLeast,
        Duration silence,
        Duration callTimeout) {
    /** How objects are listed. */
    public enum Mode {
        /** As the first events of the watch; in pages from a server that does not do that. */
        STREAM,
        /** In pages. */
        PAGES,
        /** All at once. */
        WHOLE
    }

    /**
     * Pages of 500; delays from 0.8 to 30 seconds and up to twice that, from the first again after 2 minutes; watches of 5 to 10 minutes; silent ones given up
     * after 150 seconds, two and a half times what servers let pass between bookmarks; calls after 70, as servers
     * themselves give up after 60.
     */
    public static final ReflectorOptions DEFAULT = new ReflectorOptions(
            Mode.PAGES,
            500,
            Backoff.exponential(Duration.ofMillis(800), Duration.ofSeconds(30)).withJitter(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofSeconds(150),
            Duration.ofSeconds(70));

    /** Checks them. */
    public ReflectorOptions {
        if (pageSize <= 0) {
            throw new IllegalArgumentException("pageSize: " + pageSize + " must be positive; Mode.WHOLE has no pages");
        }
        positive("healthyAfter", healthyAfter);
        positive("watchAtLeast", watchAtLeast);
        positive("silence", silence);
        positive("callTimeout", callTimeout);
    }

    private static void positive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + ": " + duration + " must be positive");
        }
    }

    /** The same in another mode. */
    public ReflectorOptions withMode(Mode value) {
        return new ReflectorOptions(value, pageSize, backoff, healthyAfter, watchAtLeast, silence, callTimeout);
    }

    /** The same with pages of this size. */
    public ReflectorOptions withPageSize(int value) {
        return new ReflectorOptions(mode, value, backoff, healthyAfter, watchAtLeast, silence, callTimeout);
    }

    /** Returns a copy with other delays after failures. */
    public ReflectorOptions withBackoff(Backoff value) {
        return new ReflectorOptions(mode, pageSize, value, healthyAfter, watchAtLeast, silence, callTimeout);
    }

    /** The same for watches that may be silent so long. */
    public ReflectorOptions withSilence(Duration value) {
        return new ReflectorOptions(mode, pageSize, backoff, healthyAfter, watchAtLeast, value, callTimeout);
    }

    /** The same for calls that may take so long. */
    public ReflectorOptions withCallTimeout(Duration value) {
        return new ReflectorOptions(mode, pageSize, backoff, healthyAfter, watchAtLeast, silence, value);
    }
}
