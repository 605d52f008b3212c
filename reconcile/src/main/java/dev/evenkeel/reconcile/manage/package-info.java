/** Creation, updates and deletion of a desired object. */
@NullMarked
package dev.evenkeel.reconcile.manage;

import org.jspecify.annotations.NullMarked;
