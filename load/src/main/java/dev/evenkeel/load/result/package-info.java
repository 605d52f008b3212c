/** The figures and verdicts of runs. */
@NullMarked
package dev.evenkeel.load.result;

import org.jspecify.annotations.NullMarked;
