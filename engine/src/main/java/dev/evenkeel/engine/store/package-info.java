/** Stores of an engine: the memory store, and the base class of durable stores. */
@NullMarked
package dev.evenkeel.engine.store;

import org.jspecify.annotations.NullMarked;
