package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Backoff;
import java.time.Duration;

/**
 * The options of an {@link Informer}. Setters return a copy.
 *
 * @param projection fields that the cache keeps
 * @param pageSize size of the pages of lists
 * @param healthyAfter running time of a watch after which the delays begin with the first again
 * @param watchAtLeast minimum timeout of watches that is sent to servers; up to as much again is added at random
 * @param silence time without an event or bookmark after which a watch is restarted
 * @param callTimeout time after which an unanswered list, page of a list, or start of a watch is retried
 * @param ownWriteWait maximum time that an answered write waits for the cache to show it, when the answer alone is not
 *     enough: its version is not a number and cannot be compared, so the watch has to deliver it; or the object has to
 *     be read again, and cannot be. After that the write returns although the cache may be older: it fails open
 */
public record InformerOptions(
        Projection projection,
        Mode mode,
        int pageSize,
        Backoff backoff,
        Duration healthyAfter,
        Duration watchAtLeast,
        Duration silence,
        Duration callTimeout,
        Duration ownWriteWait) {
    /** Ways to list objects. */
    public enum Mode {
        /** As the first events of the watch; in pages from a server that does not support that. */
        STREAM,
        /** In pages. */
        PAGES,
        /** In one answer. */
        WHOLE
    }

    /**
     * All but managed fields; pages of 500; delays from 0.8 to 30 seconds and up to twice that, from the first again
     * after 2 minutes; watches of 5 to 10 minutes, replaced after 150 silent seconds, two and a half times the interval
     * of bookmarks; calls of at most 70 seconds, as servers themselves give up after 60; one second for own writes.
     */
    public static final InformerOptions DEFAULT = new InformerOptions(
            Projection.withoutManagedFields(),
            Mode.PAGES,
            500,
            Backoff.exponential(Duration.ofMillis(800), Duration.ofSeconds(30)).jitter(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofSeconds(150),
            Duration.ofSeconds(70),
            Duration.ofSeconds(1));

    /** Checks the values. */
    public InformerOptions {
        if (pageSize <= 0) {
            throw new IllegalArgumentException("pageSize must be positive: " + pageSize + "; Mode.WHOLE has no pages");
        }
        positive("healthyAfter", healthyAfter);
        positive("watchAtLeast", watchAtLeast);
        positive("silence", silence);
        positive("callTimeout", callTimeout);
    }

    private static void positive(String name, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive: " + duration);
        }
    }

    /** Sets the fields that the cache keeps. */
    public InformerOptions projection(Projection value) {
        return new InformerOptions(
                value, mode, pageSize, backoff, healthyAfter, watchAtLeast, silence, callTimeout, ownWriteWait);
    }

    /** Sets how objects are listed. */
    public InformerOptions mode(Mode value) {
        return new InformerOptions(
                projection, value, pageSize, backoff, healthyAfter, watchAtLeast, silence, callTimeout, ownWriteWait);
    }

    /** Sets the size of the pages of lists. */
    public InformerOptions pageSize(int value) {
        return new InformerOptions(
                projection, mode, value, backoff, healthyAfter, watchAtLeast, silence, callTimeout, ownWriteWait);
    }

    /** Sets the delays after failures. */
    public InformerOptions backoff(Backoff value) {
        return new InformerOptions(
                projection, mode, pageSize, value, healthyAfter, watchAtLeast, silence, callTimeout, ownWriteWait);
    }

    /** Sets the least time after which servers end watches. */
    public InformerOptions watchAtLeast(Duration value) {
        return new InformerOptions(
                projection, mode, pageSize, backoff, healthyAfter, value, silence, callTimeout, ownWriteWait);
    }

    /** Sets how long a watch may be silent. */
    public InformerOptions silence(Duration value) {
        return new InformerOptions(
                projection, mode, pageSize, backoff, healthyAfter, watchAtLeast, value, callTimeout, ownWriteWait);
    }

    /** Sets how long a server may take to answer. */
    public InformerOptions callTimeout(Duration value) {
        return new InformerOptions(
                projection, mode, pageSize, backoff, healthyAfter, watchAtLeast, silence, value, ownWriteWait);
    }
}
