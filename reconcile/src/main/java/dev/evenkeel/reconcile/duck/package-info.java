/** Objects of many kinds, viewed through one class with their common fields. */
@NullMarked
package dev.evenkeel.reconcile.duck;

import org.jspecify.annotations.NullMarked;
