/** Syntax of names and labels; not API. */
@NullMarked
package dev.evenkeel.client.internal;

import org.jspecify.annotations.NullMarked;
