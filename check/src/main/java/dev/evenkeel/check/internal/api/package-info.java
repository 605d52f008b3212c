/** The API as a controller sees it: requests with their places, watches that can be held. */
@NullMarked
package dev.evenkeel.check.internal.api;

import org.jspecify.annotations.NullMarked;
