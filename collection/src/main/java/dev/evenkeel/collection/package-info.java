/** Ordered collections that never change, and share what they have in common. */
@NullMarked
package dev.evenkeel.collection;

import org.jspecify.annotations.NullMarked;
