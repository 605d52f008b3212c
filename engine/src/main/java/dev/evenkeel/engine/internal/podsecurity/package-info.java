/** The Pod Security Standards: what the pods of a namespace may do, by level and version. */
@NullMarked
package dev.evenkeel.engine.internal.podsecurity;

import org.jspecify.annotations.NullMarked;
