/** The faults that can be injected, and how often. */
@NullMarked
package dev.evenkeel.simulation.fault;

import org.jspecify.annotations.NullMarked;
