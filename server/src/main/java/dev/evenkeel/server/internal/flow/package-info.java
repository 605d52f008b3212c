/** The limit of requests in flight, shared fairly. */
@NullMarked
package dev.evenkeel.server.internal.flow;

import org.jspecify.annotations.NullMarked;
