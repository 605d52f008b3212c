/**
 * What code asks of its client: seen, kept in order, and changed on the way by reactors.
 */
@NullMarked
package dev.evenkeel.testing.call;

import org.jspecify.annotations.NullMarked;
