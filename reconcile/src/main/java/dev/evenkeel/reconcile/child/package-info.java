/** Objects that belong to the reconciled one: one of a kind, or several that are identified by an id. */
@NullMarked
package dev.evenkeel.reconcile.child;

import org.jspecify.annotations.NullMarked;
