/** Server-side apply and managed fields. */
@NullMarked
package dev.evenkeel.engine.apply;

import org.jspecify.annotations.NullMarked;
