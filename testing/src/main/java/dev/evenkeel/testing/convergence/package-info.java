/**
 * Checks that a reconciler reaches the same end whatever faults it meets on the way.
 *
 * <p>{@link dev.evenkeel.testing.convergence.Convergence} is the entry point.
 */
@NullMarked
package dev.evenkeel.testing.convergence;

import org.jspecify.annotations.NullMarked;
