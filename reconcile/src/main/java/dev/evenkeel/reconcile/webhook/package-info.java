/** Admission webhooks made of parts, their server, and its certificates. */
@NullMarked
package dev.evenkeel.reconcile.webhook;

import org.jspecify.annotations.NullMarked;
