/** The rules of built-in kinds: one class for each kind that the tables do not describe, and what kinds share. */
@NullMarked
package dev.evenkeel.engine.internal.builtin.kinds;

import org.jspecify.annotations.NullMarked;
