package dev.evenkeel.policy.internal.model;

import java.util.Optional;

/**
 * Messages of ICMP or ICMPv6.
 *
 * @param type the type
 * @param code the code; empty for all codes of the type
 */
public record Icmp(int type, Optional<Integer> code) {
    /** Returns messages of a type and a code. */
    public static Icmp of(int type, int code) {
        return new Icmp(type, Optional.of(code));
    }

    /** Returns whether a message of one type and code is one of these. */
    public boolean contains(Icmp message) {
        return type == message.type && (code.isEmpty() || code.equals(message.code));
    }
}
