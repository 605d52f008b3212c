/** Calls of a client: recorded in order, and modified by reactors. */
@NullMarked
package dev.evenkeel.testing.call;

import org.jspecify.annotations.NullMarked;
