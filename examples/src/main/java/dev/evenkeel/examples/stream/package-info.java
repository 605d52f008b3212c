/**
 * An operator of size, all of it made of parts: brokers of streams, their topics and accounts, connectors and mirrors.
 *
 * <p>Five kinds; children one by one and in sets; state that the API does not have, kept in order by finalizers; inputs
 * that are tracked; and webhooks that refuse what could never be.
 */
@NullMarked
package dev.evenkeel.examples.stream;

import org.jspecify.annotations.NullMarked;
