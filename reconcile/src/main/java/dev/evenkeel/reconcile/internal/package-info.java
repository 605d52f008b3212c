/** Finalizers, events and views of reconciliations, shared by the parts; not API. */
@NullMarked
package dev.evenkeel.reconcile.internal;

import org.jspecify.annotations.NullMarked;
