/** What a resource is: its names, versions, schema and rules. */
@NullMarked
package dev.evenkeel.engine.type;

import org.jspecify.annotations.NullMarked;
