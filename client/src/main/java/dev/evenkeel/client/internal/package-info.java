/** Syntax of names, labels and addresses, and values bound to calls; not API. */
@NullMarked
package dev.evenkeel.client.internal;

import org.jspecify.annotations.NullMarked;
