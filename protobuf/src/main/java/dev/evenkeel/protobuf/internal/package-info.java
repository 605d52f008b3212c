/** The schema, the JSON form, the rules and the versions of types that are defined in protobuf. */
@NullMarked
package dev.evenkeel.protobuf.internal;

import org.jspecify.annotations.NullMarked;
