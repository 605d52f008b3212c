/** What a part of a reconciler is, what it says of itself, and what it sees of the reconciliation. */
@NullMarked
package dev.evenkeel.reconcile.part;

import org.jspecify.annotations.NullMarked;
