/** Long and simulated runs of the examples: the soak rig, and the scenarios of {@code simulate}. */
@NullMarked
package dev.evenkeel.soak;

import org.jspecify.annotations.NullMarked;
