/** The repetition of requests, which all clients of servers share. */
@NullMarked
package dev.evenkeel.client.internal.retry;

import org.jspecify.annotations.NullMarked;
