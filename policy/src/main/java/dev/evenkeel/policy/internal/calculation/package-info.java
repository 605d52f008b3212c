/** The calculation of what each host needs to know, as tables that are computed from tables. */
@NullMarked
package dev.evenkeel.policy.internal.calculation;

import org.jspecify.annotations.NullMarked;
