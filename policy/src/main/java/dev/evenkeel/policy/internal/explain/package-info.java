/** Evaluation of the model for one connection. */
@NullMarked
package dev.evenkeel.policy.internal.explain;

import org.jspecify.annotations.NullMarked;
