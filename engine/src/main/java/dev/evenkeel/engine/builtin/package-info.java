/** The built-in kinds, from their fact table. */
@NullMarked
package dev.evenkeel.engine.builtin;

import org.jspecify.annotations.NullMarked;
