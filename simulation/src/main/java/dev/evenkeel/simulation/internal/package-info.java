/** The connection that injects faults, and the schedules of faults that the convergence checker explores. */
@NullMarked
package dev.evenkeel.simulation.internal;

import org.jspecify.annotations.NullMarked;
