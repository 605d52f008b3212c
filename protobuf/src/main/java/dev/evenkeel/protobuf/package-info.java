/** Types that are defined in protobuf. */
@NullMarked
package dev.evenkeel.protobuf;

import org.jspecify.annotations.NullMarked;
