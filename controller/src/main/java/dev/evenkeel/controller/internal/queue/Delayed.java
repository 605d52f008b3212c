package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * A key whose delay is not over.
 *
 * @param key key
 * @param remaining time until the delay is over
 * @param priority priority it will be added with
 * @param causes causes it will be added with
 * @param <K> class of the keys
 */
public record Delayed<K>(K key, Duration remaining, int priority, Causes causes) {}
