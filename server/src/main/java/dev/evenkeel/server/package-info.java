/**
 * The Kubernetes API server of an engine: {@link dev.evenkeel.server.Server}.
 */
@NullMarked
package dev.evenkeel.server;

import org.jspecify.annotations.NullMarked;
