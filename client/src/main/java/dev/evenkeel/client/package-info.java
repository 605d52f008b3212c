/**
 * The {@code Client}, keys, options, selectors and the typed errors of the API, shared by all modules.
 *
 * <p>Objects are fabric8 model classes; nothing else of fabric8, and no JSON library, appears in a signature.
 */
@NullMarked
package dev.evenkeel.client;

import org.jspecify.annotations.NullMarked;
