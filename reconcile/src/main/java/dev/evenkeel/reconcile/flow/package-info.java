/** Parts made of parts: in which order they run, how often, under what conditions, and with what. */
@NullMarked
package dev.evenkeel.reconcile.flow;

import org.jspecify.annotations.NullMarked;
