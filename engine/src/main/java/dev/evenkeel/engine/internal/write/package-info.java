/** Writes: create, update, patch, apply, delete and restore. */
@NullMarked
package dev.evenkeel.engine.internal.write;

import org.jspecify.annotations.NullMarked;
