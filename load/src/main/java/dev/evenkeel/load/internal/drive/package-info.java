/** The execution of phases: rates, latencies, and the effects of operations. */
@NullMarked
package dev.evenkeel.load.internal.drive;

import org.jspecify.annotations.NullMarked;
