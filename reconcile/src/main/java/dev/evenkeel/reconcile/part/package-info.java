/** Parts of a reconciler, their descriptions, needs and configuration. */
@NullMarked
package dev.evenkeel.reconcile.part;

import org.jspecify.annotations.NullMarked;
