/**
 * Where and when the machinery runs: threads, time and chance, of a process or of a simulation.
 *
 * <p>Nothing else in this module starts a thread, reads a clock or throws dice.
 */
@NullMarked
package dev.evenkeel.controller.schedule;

import org.jspecify.annotations.NullMarked;
