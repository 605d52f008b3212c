/**
 * Finds out whether a reconciler brings the world to the same end whatever goes wrong on the way.
 *
 * <p>{@link dev.evenkeel.testing.convergence.Convergence} is the beginning.
 */
@NullMarked
package dev.evenkeel.testing.convergence;

import org.jspecify.annotations.NullMarked;
