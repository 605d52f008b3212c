/** Authentication for servers: OpenID Connect providers. */
@NullMarked
package dev.evenkeel.access;

import org.jspecify.annotations.NullMarked;
