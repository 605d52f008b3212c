/** Plans as YAML. */
@NullMarked
package dev.evenkeel.load.internal.plan;

import org.jspecify.annotations.NullMarked;
