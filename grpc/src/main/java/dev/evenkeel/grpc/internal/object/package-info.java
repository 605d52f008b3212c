/** Objects in the form of the Kubernetes API. */
@NullMarked
package dev.evenkeel.grpc.internal.object;

import org.jspecify.annotations.NullMarked;
