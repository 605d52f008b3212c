/** Internals of the test kit, shared by its packages. */
@NullMarked
package dev.evenkeel.testing.internal;

import org.jspecify.annotations.NullMarked;
