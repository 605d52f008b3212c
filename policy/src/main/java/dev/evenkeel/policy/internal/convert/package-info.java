/** Conversion of objects to the model. An object that cannot be converted as written never allows more than intended. */
@NullMarked
package dev.evenkeel.policy.internal.convert;

import org.jspecify.annotations.NullMarked;
