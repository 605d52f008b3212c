/**
 * Scheduling: threads, time and randomness, of a process or of a simulation.
 *
 * <p>Nothing else in this module starts a thread, reads a clock or draws random numbers.
 */
@NullMarked
package dev.evenkeel.controller.schedule;

import org.jspecify.annotations.NullMarked;
