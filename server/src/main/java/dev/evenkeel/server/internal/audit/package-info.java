/** The audit log: which requests are recorded, how much of each, and where. */
@NullMarked
package dev.evenkeel.server.internal.audit;

import org.jspecify.annotations.NullMarked;
