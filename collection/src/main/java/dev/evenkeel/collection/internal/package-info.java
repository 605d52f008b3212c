/** Immutable ordered collections that share structure. */
@NullMarked
package dev.evenkeel.collection.internal;

import org.jspecify.annotations.NullMarked;
