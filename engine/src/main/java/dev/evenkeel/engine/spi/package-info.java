/** The service provider interface (SPI) of stores and webhook callers. */
@NullMarked
package dev.evenkeel.engine.spi;

import org.jspecify.annotations.NullMarked;
