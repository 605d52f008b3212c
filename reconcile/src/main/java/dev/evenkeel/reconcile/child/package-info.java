/** Objects that belong to the one that is reconciled: one of a kind, or several that are told apart by an id. */
@NullMarked
package dev.evenkeel.reconcile.child;

import org.jspecify.annotations.NullMarked;
