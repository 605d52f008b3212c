/** The services that a server offers, and the partitions that it serves. */
@NullMarked
package dev.evenkeel.grpc.internal;

import org.jspecify.annotations.NullMarked;
