/** JSON patch, merge patch, strategic merge patch. */
@NullMarked
package dev.evenkeel.engine.patch;

import org.jspecify.annotations.NullMarked;
