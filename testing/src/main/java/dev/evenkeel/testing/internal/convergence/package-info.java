/** The convergence checker: one run with scheduled faults, and what is compared. */
@NullMarked
package dev.evenkeel.testing.internal.convergence;

import org.jspecify.annotations.NullMarked;
