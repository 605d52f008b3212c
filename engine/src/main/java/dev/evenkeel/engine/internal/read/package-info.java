/** Reads: get, list with continue tokens, and watch. */
@NullMarked
package dev.evenkeel.engine.internal.read;

import org.jspecify.annotations.NullMarked;
