/** Equal values as one instance. */
@NullMarked
package dev.evenkeel.policy.internal.sharing;

import org.jspecify.annotations.NullMarked;
