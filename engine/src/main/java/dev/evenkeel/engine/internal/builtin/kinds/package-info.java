/** The rules of built-in kinds: one class for each kind, and what several kinds share. */
@NullMarked
package dev.evenkeel.engine.internal.builtin.kinds;

import org.jspecify.annotations.NullMarked;
