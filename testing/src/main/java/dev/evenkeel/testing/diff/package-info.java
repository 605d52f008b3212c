/** Differences of objects: which of them count, and how they are displayed. */
@NullMarked
package dev.evenkeel.testing.diff;

import org.jspecify.annotations.NullMarked;
