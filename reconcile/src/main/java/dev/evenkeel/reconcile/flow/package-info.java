/** Parts composed of parts: order, repetition, conditions, and configuration. */
@NullMarked
package dev.evenkeel.reconcile.flow;

import org.jspecify.annotations.NullMarked;
