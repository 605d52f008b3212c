/** Connections over HTTP/1.1, HTTP/2 and WebSocket, by Jetty. */
@NullMarked
package dev.evenkeel.server.internal.jetty;

import org.jspecify.annotations.NullMarked;
