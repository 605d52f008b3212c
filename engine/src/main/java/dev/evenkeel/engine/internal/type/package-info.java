/** The model of resources: names, versions, schema and rules. */
@NullMarked
package dev.evenkeel.engine.internal.type;

import org.jspecify.annotations.NullMarked;
