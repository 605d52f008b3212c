/** Evenkeel reconcilers in existing operators: of JOSDK, and with fabric8's informers. */
@NullMarked
package dev.evenkeel.josdk;

import org.jspecify.annotations.NullMarked;
