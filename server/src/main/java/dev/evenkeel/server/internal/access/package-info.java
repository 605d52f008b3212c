/** Authentication and the checks before a request is handled. */
@NullMarked
package dev.evenkeel.server.internal.access;

import org.jspecify.annotations.NullMarked;
