/** The steps of a run, from the creation of the world to the verdicts. */
@NullMarked
package dev.evenkeel.load.internal.run;

import org.jspecify.annotations.NullMarked;
