/** Our reconcilers in operators that are there already: of JOSDK, and with fabric8's informers. */
@NullMarked
package dev.evenkeel.josdk;

import org.jspecify.annotations.NullMarked;
