package dev.evenkeel.controller.internal.queue;

import dev.evenkeel.controller.RateLimiter;
import java.time.Duration;
import java.util.function.Function;

/**
 * How a work queue behaves.
 *
 * @param name for people; may be empty
 * @param limiter delays of keys that failed
 * @param ageing a key that waits gains one step of priority in this time, so that none waits for ever behind higher ones:
 *     a key is overtaken only by those that came within {@code ageing * (their priority - its own)} after it
 * @param aged whether keys age at all; without it a higher priority always comes first
 * @param maxCauses how many causes are kept for a key
 * @param flow to which flow, such as a tenant, a key belongs; flows take turns within a priority
 * @param metrics hears how long things take
 * @param <K> class of the keys
 */
public record QueueOptions<K>(
        String name,
        RateLimiter limiter,
        Duration ageing,
        boolean aged,
        int maxCauses,
        Function<? super K, ?> flow,
        QueueMetrics metrics) {
    /** Has all keys in one flow, and is known for it. */
    private enum OneFlow implements Function<Object, Object> {
        FLOW;

        @Override
        public Object apply(Object key) {
            return "";
        }
    }

    /** Refuses what makes no sense. */
    public QueueOptions {
        if (!ageing.isPositive()) {
            throw new IllegalArgumentException(
                    "ageing is the time in which a waiting key gains one step of priority, and" + " must be positive: "
                            + ageing + "; withoutAgeing() turns it off");
        }
        if (maxCauses < 0) {
            throw new IllegalArgumentException("maxCauses must not be negative: " + maxCauses);
        }
    }

    /**
     * The usual: exponential backoff from 5 ms to 1000 s with a jitter of a tenth; a step of priority in 100 ms, so that
     * {@link Priority#LOW} is overtaken by {@link Priority#NORMAL} for at most 10 s; 8 causes; no flows.
     */
    public static <K> QueueOptions<K> defaults() {
        return new QueueOptions<>(
                "", RateLimiter.standard(), Duration.ofMillis(100), true, 8, OneFlow.FLOW, QueueMetrics.NONE);
    }

    /** With this name. */
    public QueueOptions<K> withName(String name) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** With these delays of keys that failed. */
    public QueueOptions<K> withLimiter(RateLimiter limiter) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** With a step of priority in this time. */
    public QueueOptions<K> withAgeing(Duration ageing) {
        return new QueueOptions<>(name, limiter, ageing, true, maxCauses, flow, metrics);
    }

    /** With strict priorities: a low one waits as long as there are higher ones. */
    public QueueOptions<K> withoutAgeing() {
        return new QueueOptions<>(name, limiter, ageing, false, maxCauses, flow, metrics);
    }

    /** With so many causes of a key. */
    public QueueOptions<K> withMaxCauses(int maxCauses) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** With flows that take turns, such as {@code Request::namespace}. It is called with no lock held. */
    public QueueOptions<K> withFlow(Function<? super K, ?> flow) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** With somebody who hears how long things take. */
    public QueueOptions<K> withMetrics(QueueMetrics metrics) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    boolean flows() {
        return !(flow instanceof OneFlow);
    }
}
