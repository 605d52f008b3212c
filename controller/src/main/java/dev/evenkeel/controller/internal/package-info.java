/** The controller runtime: running controllers, placement, workers, metrics; not API. */
@NullMarked
package dev.evenkeel.controller.internal;

import org.jspecify.annotations.NullMarked;
