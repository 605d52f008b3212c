/** The HTTP layer: request bodies, responses, media types, errors, metrics, health. */
@NullMarked
package dev.evenkeel.server.internal.http;

import org.jspecify.annotations.NullMarked;
