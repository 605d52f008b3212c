/** API services: parts of the API that other servers serve. */
@NullMarked
package dev.evenkeel.server.internal.aggregation;

import org.jspecify.annotations.NullMarked;
