/**
 * Who may act: one leader of many ({@link dev.evenkeel.controller.internal.lease.Election}), or each member for its share of all
 * keys ({@link dev.evenkeel.controller.internal.lease.Shards}), by Lease objects in the API.
 *
 * <p>Whoever may act has a {@link dev.evenkeel.controller.internal.lease.Term}: it ends by the holder's own clock before anybody
 * else may take over, and its fence lets the server refuse writes of one who did not notice.
 */
@NullMarked
package dev.evenkeel.controller.internal.lease;

import org.jspecify.annotations.NullMarked;
