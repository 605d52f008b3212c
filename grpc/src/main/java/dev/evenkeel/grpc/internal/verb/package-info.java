/** Reads and writes of resources. */
@NullMarked
package dev.evenkeel.grpc.internal.verb;

import org.jspecify.annotations.NullMarked;
