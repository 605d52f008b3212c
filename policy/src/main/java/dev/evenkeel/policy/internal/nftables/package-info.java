/** Network policy in the packet filter of Linux: the messages to a host as rules of nftables. */
@NullMarked
package dev.evenkeel.policy.internal.nftables;

import org.jspecify.annotations.NullMarked;
