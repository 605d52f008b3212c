/** Tests whose time is measured, on Evenkeel and on fabric8's mock server. */
@NullMarked
package dev.evenkeel.benchmarks.junit;

import org.jspecify.annotations.NullMarked;
