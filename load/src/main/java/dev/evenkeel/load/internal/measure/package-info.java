/** Figures of other processes: from /proc, of JVMs by attaching, and from their metrics. */
@NullMarked
package dev.evenkeel.load.internal.measure;

import org.jspecify.annotations.NullMarked;
