/**
 * Checks that a reconciler converges to the same state whatever faults occur.
 *
 * <p>{@link dev.evenkeel.testing.convergence.Convergence} is the entry point.
 */
@NullMarked
package dev.evenkeel.testing.convergence;

import org.jspecify.annotations.NullMarked;
