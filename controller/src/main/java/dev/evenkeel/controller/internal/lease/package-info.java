/**
 * Leases: one leader of many processes ({@link dev.evenkeel.controller.internal.lease.Election}), or each member for
 * its share of all keys ({@link dev.evenkeel.controller.internal.lease.Shards}), by Lease objects in the API.
 *
 * <p>The holder has a {@link dev.evenkeel.controller.internal.lease.Term}: it ends by the holder's own clock before
 * another process may take over, and its fence lets the server refuse writes of a holder that did not notice.
 */
@NullMarked
package dev.evenkeel.controller.internal.lease;

import org.jspecify.annotations.NullMarked;
