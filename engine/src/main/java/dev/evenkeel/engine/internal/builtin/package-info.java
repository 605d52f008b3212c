/** The built-in kinds, from their fact table. */
@NullMarked
package dev.evenkeel.engine.internal.builtin;

import org.jspecify.annotations.NullMarked;
