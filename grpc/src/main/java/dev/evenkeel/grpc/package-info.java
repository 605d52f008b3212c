/**
 * The gRPC resource service of an engine: {@link dev.evenkeel.grpc.GrpcServer}.
 */
@NullMarked
package dev.evenkeel.grpc;

import org.jspecify.annotations.NullMarked;
