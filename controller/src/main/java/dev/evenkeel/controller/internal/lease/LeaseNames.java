package dev.evenkeel.controller.internal.lease;

import java.util.regex.Pattern;

/**
 * Names of the Leases of controllers.
 *
 * <p>A leader's Lease has the controller's name {@code N}; a sharded controller has the Leases
 * {@code N-member-IDENTITY} and {@code N-slot-NUMBER-of-SLOTS}. So that no two controllers share a Lease, the words
 * {@code member} and {@code slot} that follow a hyphen within {@code N} get a zero: {@code team-member-list} becomes
 * {@code team-member0-list}, and {@code team-member0-list} becomes {@code team-member00-list}. All other names stay as
 * they are, and no two become equal.
 */
public final class LeaseNames {
    private static final Pattern RESERVED = Pattern.compile("-(?:member|slot)0*(?=-|$)");

    private LeaseNames() {}

    /** Returns the name of a leader's Lease, which is also the prefix of the names of a sharded controller's Leases. */
    public static String of(String controller) {
        return RESERVED.matcher(controller).replaceAll(word -> word.group() + "0");
    }

    static String members(String controller) {
        return of(controller) + "-member-";
    }

    static String slots(String controller) {
        return of(controller) + "-slot-";
    }
}
