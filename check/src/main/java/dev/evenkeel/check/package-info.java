/** The convergence checker for controllers that are processes, in any language. */
@NullMarked
package dev.evenkeel.check;

import org.jspecify.annotations.NullMarked;
