/** What a resource is: its names, versions, schema and rules. */
@NullMarked
package dev.evenkeel.engine.internal.type;

import org.jspecify.annotations.NullMarked;
