/** Places in the life of a controller, faults there, and schedules of faults. */
@NullMarked
package dev.evenkeel.check.internal.fault;

import org.jspecify.annotations.NullMarked;
