/** The time line of a run. */
@NullMarked
package dev.evenkeel.check.internal.report;

import org.jspecify.annotations.NullMarked;
