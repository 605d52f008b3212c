/** OpenAPI v2 and v3 documents. */
@NullMarked
package dev.evenkeel.server.internal.openapi;

import org.jspecify.annotations.NullMarked;
