/** Conditions: what an object's status says of it in a few words, and how parts say it. */
@NullMarked
package dev.evenkeel.reconcile.condition;

import org.jspecify.annotations.NullMarked;
