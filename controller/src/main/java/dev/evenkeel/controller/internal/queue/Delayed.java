package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * A key whose delay is not over.
 *
 * @param key key
 * @param remaining until it is
 * @param priority with which it will come
 * @param causes with which it will come
 * @param <K> class of the keys
 */
public record Delayed<K>(K key, Duration remaining, int priority, Causes causes) {}
