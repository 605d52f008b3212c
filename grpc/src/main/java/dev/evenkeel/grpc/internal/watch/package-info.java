/** Lists and watches of resources. */
@NullMarked
package dev.evenkeel.grpc.internal.watch;

import org.jspecify.annotations.NullMarked;
