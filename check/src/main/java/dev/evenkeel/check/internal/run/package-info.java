/** Runs of a controller: its processes, its rests, and its end states. */
@NullMarked
package dev.evenkeel.check.internal.run;

import org.jspecify.annotations.NullMarked;
