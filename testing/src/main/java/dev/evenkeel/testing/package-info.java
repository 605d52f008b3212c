/**
 * The test kit: cases that state all that a reconciler does, on the real engine.
 */
@org.jspecify.annotations.NullMarked
package dev.evenkeel.testing;
