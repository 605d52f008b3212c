/** The memory store. */
@NullMarked
package dev.evenkeel.engine.store;

import org.jspecify.annotations.NullMarked;
