/**
 * The work queue: keys that wait for a worker, with priorities, causes, delays and backoff.
 *
 * <p>{@link dev.evenkeel.controller.internal.queue.WorkQueue} is the whole of it for its users.
 */
@NullMarked
package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.NullMarked;
