/** Syntax shared by schemas and built-in kinds: names, quantities, addresses. */
@NullMarked
package dev.evenkeel.engine.internal.syntax;

import org.jspecify.annotations.NullMarked;
