/** How an object that somebody wants is created, kept as it should be, and deleted. */
@NullMarked
package dev.evenkeel.reconcile.manage;

import org.jspecify.annotations.NullMarked;
