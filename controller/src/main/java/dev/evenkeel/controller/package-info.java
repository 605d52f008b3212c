/**
 * Reconcilers and their runtime: controllers declare their triggers, and a manager runs them.
 *
 * <p>The packages below do not depend on this one: {@code schedule} (threads, time and randomness), {@code cache}
 * (informers, and reading one's own writes), and {@code internal} (the work queue, leases, events).
 *
 * <p>Controllers access the API through a {@link dev.evenkeel.client.Client}, and time through a
 * {@link dev.evenkeel.client.Scheduler}.
 */
@NullMarked
package dev.evenkeel.controller;

import org.jspecify.annotations.NullMarked;
