/** Services of the engine that react to writes: garbage collection, namespace termination, definitions. */
@NullMarked
package dev.evenkeel.engine.internal.service;

import org.jspecify.annotations.NullMarked;
