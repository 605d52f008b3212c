/** Rules by which objects of a type are created, updated and deleted. */
@NullMarked
package dev.evenkeel.engine.internal.strategy;

import org.jspecify.annotations.NullMarked;
