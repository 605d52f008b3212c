/** Schedules of faults at the requests of a controller and at the steps of a user. */
@NullMarked
package dev.evenkeel.simulation.internal.request;

import org.jspecify.annotations.NullMarked;
