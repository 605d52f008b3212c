/** The stream of messages to hosts over gRPC. */
@NullMarked
package dev.evenkeel.policy.internal.sync;

import org.jspecify.annotations.NullMarked;
