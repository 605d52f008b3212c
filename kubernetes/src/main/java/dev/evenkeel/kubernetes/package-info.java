/** The client of any Kubernetes API server: connections, requests, watches over HTTP and WebSocket. */
@NullMarked
package dev.evenkeel.kubernetes;

import org.jspecify.annotations.NullMarked;
