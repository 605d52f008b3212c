package dev.evenkeel.client;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Makes a write depend on a lease: it is committed only if, at that moment, the lease is held by this holder for this
 * term. So a leader that was suspended until its lease expired cannot overwrite the writes of its successor.
 *
 * <p>An Evenkeel server enforces it. Other servers ignore it and execute the write: there, only the clock of the holder
 * prevents late writes.
 *
 * @param lease key of the {@code coordination.k8s.io/v1} Lease
 * @param holder its {@code spec.holderIdentity}
 * @param transitions its {@code spec.leaseTransitions}: grows with each change of the holder
 */
public record Fence(ObjectKey lease, String holder, int transitions) {
    /** The header of a request whose write is fenced; its value is {@link #header()}. */
    public static final String HEADER = "Evenkeel-Fence";

    /**
     * The type of the {@link Status.Cause} of a 409 because of a fence that does not hold: retrying has no
     * effect.
     */
    public static final String LOST = "FenceLost";

    /** Refuses fences without a holder. */
    public Fence {
        if (lease.namespace().isEmpty() || lease.name().isEmpty() || holder.isEmpty() || transitions < 0) {
            throw new IllegalArgumentException(
                    "a fence needs a lease with namespace and name, a holder, and transitions of 0 or more: " + lease
                            + ", \"" + holder + "\", " + transitions);
        }
    }

    /** Returns the form of the header: {@code namespace/name; holder=…; transitions=…}, the holder URL-encoded. */
    public String header() {
        return lease + "; holder=" + URLEncoder.encode(holder, StandardCharsets.UTF_8) + "; transitions=" + transitions;
    }

    /**
     * Reads the form of the header.
     *
     * @throws IllegalArgumentException when it is malformed; the message names the part
     */
    public static Fence parse(String header) {
        String[] parts = header.split(";", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "\"" + header + "\" is not of the form \"namespace/name; holder=…; transitions=…\"");
        }
        String[] lease = parts[0].strip().split("/", -1);
        if (lease.length != 2 || lease[0].isEmpty() || lease[1].isEmpty()) {
            throw new IllegalArgumentException("lease: \"" + parts[0].strip() + "\" is not of the form namespace/name");
        }
        String holder;
        try {
            holder = URLDecoder.decode(value(parts[1], "holder"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("holder: " + e.getMessage(), e);
        }
        if (holder.isEmpty()) {
            throw new IllegalArgumentException("holder: must not be empty");
        }
        String transitions = value(parts[2], "transitions");
        try {
            return new Fence(ObjectKey.of(lease[0], lease[1]), holder, Integer.parseUnsignedInt(transitions));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "transitions: \"" + transitions + "\" is not a whole number from 0 to " + Integer.MAX_VALUE, e);
        }
    }

    private static String value(String part, String name) {
        String text = part.strip();
        if (!text.startsWith(name + "=")) {
            throw new IllegalArgumentException(name + ": \"" + text + "\" is not of the form " + name + "=…");
        }
        return text.substring(name.length() + 1);
    }
}
