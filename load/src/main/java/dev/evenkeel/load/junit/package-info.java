/** Loads as tests of JUnit. */
@NullMarked
package dev.evenkeel.load.junit;

import org.jspecify.annotations.NullMarked;
