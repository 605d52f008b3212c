/** Admission of writes: mutating and validating webhooks and policies. */
@NullMarked
package dev.evenkeel.engine.internal.admission;

import org.jspecify.annotations.NullMarked;
