/** Stored objects, their encoded form, their metadata, and refusals of requests about them. */
@NullMarked
package dev.evenkeel.engine.internal.object;

import org.jspecify.annotations.NullMarked;
