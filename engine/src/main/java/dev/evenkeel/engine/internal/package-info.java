/** The engine behind the API: partitions and the verbs over encoded bodies; not API. */
@NullMarked
package dev.evenkeel.engine.internal;

import org.jspecify.annotations.NullMarked;
