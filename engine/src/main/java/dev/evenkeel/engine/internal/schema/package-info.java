/** Structural schemas: rules, pruning, defaulting, validation. */
@NullMarked
package dev.evenkeel.engine.internal.schema;

import org.jspecify.annotations.NullMarked;
