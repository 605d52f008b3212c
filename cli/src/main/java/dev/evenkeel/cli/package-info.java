/** The {@code evenkeel} command. */
@NullMarked
package dev.evenkeel.cli;

import org.jspecify.annotations.NullMarked;
