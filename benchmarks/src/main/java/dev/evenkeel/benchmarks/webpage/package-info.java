/** An operator as users of JOSDK write it, without anything of Evenkeel, for runs of the load harness. */
@NullMarked
package dev.evenkeel.benchmarks.webpage;

import org.jspecify.annotations.NullMarked;
