/** An operator with informers of fabric8 alone, without anything of Evenkeel, for {@code evenkeel check}. */
@NullMarked
package dev.evenkeel.benchmarks.board;

import org.jspecify.annotations.NullMarked;
