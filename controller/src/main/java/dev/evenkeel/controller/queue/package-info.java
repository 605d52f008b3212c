/**
 * The work queue: keys that wait for a worker, with priorities, causes, delays and backoff.
 *
 * <p>{@link dev.evenkeel.controller.queue.WorkQueue} is the whole of it for its users.
 */
@NullMarked
package dev.evenkeel.controller.queue;

import org.jspecify.annotations.NullMarked;
