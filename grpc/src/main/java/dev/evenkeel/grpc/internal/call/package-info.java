/** Calls: their senders, their deadlines, and the errors that answer them. */
@NullMarked
package dev.evenkeel.grpc.internal.call;

import org.jspecify.annotations.NullMarked;
