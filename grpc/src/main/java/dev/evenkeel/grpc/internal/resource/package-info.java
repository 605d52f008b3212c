/** Resources and their identifiers: checked, and translated to and from objects of the engine. */
@NullMarked
package dev.evenkeel.grpc.internal.resource;

import org.jspecify.annotations.NullMarked;
