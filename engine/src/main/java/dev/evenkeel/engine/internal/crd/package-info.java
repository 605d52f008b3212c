/** The life cycle of CustomResourceDefinitions: validation, status, and the types they define. */
@NullMarked
package dev.evenkeel.engine.internal.crd;

import org.jspecify.annotations.NullMarked;
