/** Results as HTML, JSON and Prometheus text, and comparisons. */
@NullMarked
package dev.evenkeel.load.internal.report;

import org.jspecify.annotations.NullMarked;
