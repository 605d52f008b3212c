/** Ordered collections that never change, and share what they have in common. */
@NullMarked
package dev.evenkeel.collection.internal;

import org.jspecify.annotations.NullMarked;
