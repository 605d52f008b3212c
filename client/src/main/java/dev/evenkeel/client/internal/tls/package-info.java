/** Certificates: an authority of one's own, and what it issues, made with nothing but the JDK. */
@NullMarked
package dev.evenkeel.client.internal.tls;

import org.jspecify.annotations.NullMarked;
