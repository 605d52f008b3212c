package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.internal.DnsNames;
import dev.evenkeel.controller.Leases;
import java.util.regex.Pattern;

/**
 * The settings by which a group of members shares its keys.
 *
 * @param group name of the group, the same for all members; begins the {@linkplain LeaseNames names} of all leases
 * @param identity identity of this member, unlike that of every other; part of the name of its lease
 * @param slots number of slots into which the keys are divided; the same for all members
 */
public record ShardSettings(String namespace, String group, String identity, int slots, Leases.Timing timing) {
    /** The default number of slots: enough for a dozen members, at one small object for each. */
    public static final int DEFAULT_SLOTS = 32;

    private static final int MOST_SLOTS = 4096;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]*[a-z0-9])?");
    private static final int MOST_NAME = 120;

    /** Refuses names that are not valid for a Lease. */
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

    public static ShardSettings of(String namespace, String group, String identity) {
        return new ShardSettings(namespace, group, identity, DEFAULT_SLOTS, Leases.Timing.DEFAULT);
    }

    public ShardSettings withSlots(int value) {
        return new ShardSettings(namespace, group, identity, value, timing);
    }
}
