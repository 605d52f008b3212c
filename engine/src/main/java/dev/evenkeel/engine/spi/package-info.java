/** What a store of the engine must do. */
@NullMarked
package dev.evenkeel.engine.spi;

import org.jspecify.annotations.NullMarked;
