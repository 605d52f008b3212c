/** Requests for resources: paths, options, representations. */
@NullMarked
package dev.evenkeel.server.internal.resource;

import org.jspecify.annotations.NullMarked;
