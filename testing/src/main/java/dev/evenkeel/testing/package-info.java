/** The test kit: cases that state all effects of a reconciler, on the real engine. */
@org.jspecify.annotations.NullMarked
package dev.evenkeel.testing;
