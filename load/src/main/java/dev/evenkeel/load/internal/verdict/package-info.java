/** Judgements of measured figures, with statistics. */
@NullMarked
package dev.evenkeel.load.internal.verdict;

import org.jspecify.annotations.NullMarked;
