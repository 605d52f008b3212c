/** Events: messages of controllers about objects, aggregated and limited as upstream does, in either API. */
@NullMarked
package dev.evenkeel.controller.internal.event;

import org.jspecify.annotations.NullMarked;
