/**
 * The Kubernetes REST door of the engine: {@link dev.evenkeel.server.Server}.
 */
@NullMarked
package dev.evenkeel.server;

import org.jspecify.annotations.NullMarked;
