/** How two objects differ, what of it counts, and how it is shown to people. */
@NullMarked
package dev.evenkeel.testing.diff;

import org.jspecify.annotations.NullMarked;
