/** Benchmarks against peers in the same run: {@link dev.evenkeel.benchmarks.Bench}. */
@NullMarked
package dev.evenkeel.benchmarks;

import org.jspecify.annotations.NullMarked;
