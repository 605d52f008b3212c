/** Server-side apply and managed fields. */
@NullMarked
package dev.evenkeel.engine.internal.apply;

import org.jspecify.annotations.NullMarked;
