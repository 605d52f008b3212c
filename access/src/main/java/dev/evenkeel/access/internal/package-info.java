/** Finds the user of a request: tokens, client certificates, OpenID Connect, impersonation. */
@NullMarked
package dev.evenkeel.access.internal;

import org.jspecify.annotations.NullMarked;
