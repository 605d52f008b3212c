/** Permissions: the rules of roles, what they cover, and how requests are refused. */
@NullMarked
package dev.evenkeel.engine.internal.access;

import org.jspecify.annotations.NullMarked;
