/** A private certificate authority and the certificates that it issues, made with the JDK alone. */
@NullMarked
package dev.evenkeel.client.internal.tls;

import org.jspecify.annotations.NullMarked;
