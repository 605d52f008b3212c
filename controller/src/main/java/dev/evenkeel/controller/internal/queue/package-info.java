/**
 * The work queue: keys that wait for a worker, with priorities, causes, delays and backoff.
 * {@link dev.evenkeel.controller.internal.queue.WorkQueue} is its entry point.
 */
@NullMarked
package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.NullMarked;
