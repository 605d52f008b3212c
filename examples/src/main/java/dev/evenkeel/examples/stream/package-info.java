/**
 * A large operator composed of parts: brokers of streams, their topics and accounts, connectors and mirrors.
 *
 * <p>Five kinds; single children and sets; external state, released by finalizers; tracked inputs; and validating
 * webhooks.
 */
@NullMarked
package dev.evenkeel.examples.stream;

import org.jspecify.annotations.NullMarked;
