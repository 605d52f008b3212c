/**
 * Judgements of measured figures, with statistics.
 *
 * <p>A judge is a function from figures to a {@link dev.evenkeel.load.result.Verdict}. It passes or fails what the figures
 * decide, at a level of 95 % unless said otherwise, and leaves open the rest. The confidence of an open verdict is the
 * probability of the side to which it inclines, and 0 without figures.
 */
@NullMarked
package dev.evenkeel.load.internal.verdict;

import org.jspecify.annotations.NullMarked;
