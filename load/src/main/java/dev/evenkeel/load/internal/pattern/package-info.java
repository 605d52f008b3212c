/** The patterns of changes. */
@NullMarked
package dev.evenkeel.load.internal.pattern;

import org.jspecify.annotations.NullMarked;
