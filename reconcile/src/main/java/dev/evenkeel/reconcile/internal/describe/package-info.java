/** What is made of what parts say of themselves: pictures for people, and the rules of access that they need. */
@NullMarked
package dev.evenkeel.reconcile.internal.describe;

import org.jspecify.annotations.NullMarked;
