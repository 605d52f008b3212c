/** Admission webhooks made of parts, the server that they are asked at, and its certificates. */
@NullMarked
package dev.evenkeel.reconcile.webhook;

import org.jspecify.annotations.NullMarked;
