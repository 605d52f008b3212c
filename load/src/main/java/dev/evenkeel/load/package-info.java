/**
 * Load on a controller: a plan declares a world of objects and phases of changes, a run puts them through a client, measures
 * the controller from outside, and judges it.
 */
@NullMarked
package dev.evenkeel.load;

import org.jspecify.annotations.NullMarked;
