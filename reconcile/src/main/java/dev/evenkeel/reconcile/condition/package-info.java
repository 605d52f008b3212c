/** Conditions of an object's status, and how parts set them. */
@NullMarked
package dev.evenkeel.reconcile.condition;

import org.jspecify.annotations.NullMarked;
