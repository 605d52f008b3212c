/** Objects for tests: defined once, varied per case, immutable. */
@NullMarked
package dev.evenkeel.testing.object;

import org.jspecify.annotations.NullMarked;
