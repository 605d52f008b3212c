/**
 * Reconcilers and what runs them: controllers say what they are woken by, and a manager runs them.
 *
 * <p>The rooms below do the work, and know nothing of this one: {@code schedule} (threads, time and chance), {@code queue}
 * (keys that wait), {@code cache} (informers, and reading one's own writes), {@code lease} (who may act), {@code event}
 * (what people are told), {@code simulation} (all of it on one thread, after a seed).
 *
 * <p>Everything here sees the world through a {@link dev.evenkeel.client.Client}, and time through a {@link
 * dev.evenkeel.client.Scheduler}.
 */
@NullMarked
package dev.evenkeel.controller;

import org.jspecify.annotations.NullMarked;
