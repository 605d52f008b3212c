/**
 * Everything on one thread, in virtual time, after a seed: processes that run the machinery, and the faults that befall
 * them.
 */
@NullMarked
package dev.evenkeel.controller.simulation;

import org.jspecify.annotations.NullMarked;
