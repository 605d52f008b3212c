/** The resource engine with Kubernetes API semantics, in process. */
@NullMarked
package dev.evenkeel.engine;

import org.jspecify.annotations.NullMarked;
