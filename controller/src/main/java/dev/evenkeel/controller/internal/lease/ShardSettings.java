package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.internal.DnsNames;
import dev.evenkeel.controller.Leases;
import java.util.regex.Pattern;

/**
 * How a group of members shares its keys.
 *
 * @param namespace where the leases are
 * @param group name of the group, the same for all members; begins the {@linkplain LeaseNames names} of all leases
 * @param identity of this member, unlike that of every other; part of the name of its lease
 * @param slots into how many parts the keys are divided; the same for all members
 * @param timing how long leases last
 */
public record ShardSettings(String namespace, String group, String identity, int slots, Leases.Timing timing) {
    /** Enough for a dozen members, at one small object for each. */
    public static final int DEFAULT_SLOTS = 32;

    private static final int MOST_SLOTS = 4096;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]*[a-z0-9])?");
    private static final int MOST_NAME = 120;

    /** Refuses what cannot name a Lease. */
    public ShardSettings {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("namespace: must not be empty");
        }
        if (!DnsNames.isSubdomain(group) || group.length() > DnsNames.MAX_LABEL) {
            throw new IllegalArgumentException(
                    "group: \"" + group + "\" must be a lowercase RFC 1123 subdomain of at most 63 characters");
        }
        if (!NAME.matcher(identity).matches() || identity.length() > MOST_NAME) {
            throw new IllegalArgumentException(
                    "identity: \"" + identity
                            + "\" must be at most 120 lower case letters, digits, '-' and '.', and not begin or end with these");
        }
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("slots: " + slots + " must be from 1 to " + MOST_SLOTS);
        }
    }

    /** 32 slots and the usual times. */
    public static ShardSettings of(String namespace, String group, String identity) {
        return new ShardSettings(namespace, group, identity, DEFAULT_SLOTS, Leases.Timing.DEFAULT);
    }

    /** The same with this many slots. */
    public ShardSettings withSlots(int value) {
        return new ShardSettings(namespace, group, identity, value, timing);
    }

    /** The same with these times. */
    public ShardSettings withTiming(Leases.Timing value) {
        return new ShardSettings(namespace, group, identity, slots, value);
    }
}
