/** The resource engine: objects with the semantics of the Kubernetes API, in this process. Begin with {@link Engine}. */
@NullMarked
package dev.evenkeel.engine;

import org.jspecify.annotations.NullMarked;
