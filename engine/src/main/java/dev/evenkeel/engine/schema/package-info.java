/** Structural schemas: rules, pruning, defaulting, validation. */
@NullMarked
package dev.evenkeel.engine.schema;

import org.jspecify.annotations.NullMarked;
