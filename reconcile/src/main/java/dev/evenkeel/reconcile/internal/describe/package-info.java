/** Renderings of descriptions of parts: diagrams, and the access rules that they need. */
@NullMarked
package dev.evenkeel.reconcile.internal.describe;

import org.jspecify.annotations.NullMarked;
