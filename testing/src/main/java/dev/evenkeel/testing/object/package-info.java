/** Objects to test with: written down once, varied per case, never changed. */
@NullMarked
package dev.evenkeel.testing.object;

import org.jspecify.annotations.NullMarked;
