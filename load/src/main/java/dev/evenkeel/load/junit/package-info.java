/** Plans of load that run as tests of JUnit, in virtual time. */
@NullMarked
package dev.evenkeel.load.junit;

import org.jspecify.annotations.NullMarked;
