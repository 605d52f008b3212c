package dev.evenkeel.controller.internal.queue;

import dev.evenkeel.controller.RateLimiter;
import java.time.Duration;
import java.util.function.Function;

/**
 * The options of a work queue.
 *
 * @param name name for display; may be empty
 * @param ageing time in which a waiting key gains one step of priority, so that none waits indefinitely behind higher
 *     ones: a key is overtaken only by those that arrived within {@code ageing * (their priority - its own)} after it
 * @param aged whether keys age at all; without it a higher priority always comes first
 * @param maxCauses maximum number of causes that are kept for a key
 * @param flow flow, such as a tenant, to which a key belongs; flows take turns within a priority
 */
public record QueueOptions<K>(
        String name,
        RateLimiter limiter,
        Duration ageing,
        boolean aged,
        int maxCauses,
        Function<? super K, ?> flow,
        QueueMetrics metrics) {
    /** Assigns all keys to one flow, and is recognized by identity. */
    private static final Function<Object, Object> ONE_FLOW = QueueOptions::oneFlow;

    public QueueOptions {
        if (!ageing.isPositive()) {
            throw new IllegalArgumentException("ageing is the time in which a waiting key gains one step of priority,"
                    + " and must be positive: " + ageing + "; withoutAgeing() turns it off");
        }
        if (maxCauses < 0) {
            throw new IllegalArgumentException("maxCauses must not be negative: " + maxCauses);
        }
    }

    /**
     * Returns the defaults: exponential backoff from 5 ms to 1000 s with a jitter of a tenth; a step of priority in 100
     * ms, so that {@link Priority#LOW} is overtaken by {@link Priority#NORMAL} for at most 10 s; 8 causes; no flows.
     */
    public static <K> QueueOptions<K> defaults() {
        return new QueueOptions<>(
                "", RateLimiter.standard(), Duration.ofMillis(100), true, 8, ONE_FLOW, QueueMetrics.NONE);
    }

    public QueueOptions<K> withName(String name) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    public QueueOptions<K> withLimiter(RateLimiter limiter) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** Returns a copy with the given time for a step of priority. */
    public QueueOptions<K> withAgeing(Duration ageing) {
        return new QueueOptions<>(name, limiter, ageing, true, maxCauses, flow, metrics);
    }

    /** Returns a copy with strict priorities: a low one waits as long as there are higher ones. */
    public QueueOptions<K> withoutAgeing() {
        return new QueueOptions<>(name, limiter, ageing, false, maxCauses, flow, metrics);
    }

    public QueueOptions<K> withMaxCauses(int maxCauses) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    /** Returns a copy with flows that take turns, such as {@code Request::namespace}. */
    public QueueOptions<K> withFlow(Function<? super K, ?> flow) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    public QueueOptions<K> withMetrics(QueueMetrics metrics) {
        return new QueueOptions<>(name, limiter, ageing, aged, maxCauses, flow, metrics);
    }

    private static Object oneFlow(Object key) {
        return "";
    }

    boolean flows() {
        return !flow.equals(ONE_FLOW);
    }
}
