/** Watches over HTTP and WebSocket. */
@NullMarked
package dev.evenkeel.server.internal.watch;

import org.jspecify.annotations.NullMarked;
