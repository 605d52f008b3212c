/** Objects of many kinds, seen through one class that knows what they have in common. */
@NullMarked
package dev.evenkeel.reconcile.duck;

import org.jspecify.annotations.NullMarked;
