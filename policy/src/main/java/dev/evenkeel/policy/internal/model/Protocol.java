package dev.evenkeel.policy.internal.model;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An IP protocol.
 *
 * @param number the number that IANA assigned
 */
public record Protocol(int number) {
    public static final Protocol ICMP = new Protocol(1);
    public static final Protocol TCP = new Protocol(6);
    public static final Protocol UDP = new Protocol(17);
    public static final Protocol ICMPV6 = new Protocol(58);
    public static final Protocol SCTP = new Protocol(132);

    private static final Map<String, Protocol> NAMED =
            Map.of("ICMP", ICMP, "TCP", TCP, "UDP", UDP, "ICMPV6", ICMPV6, "SCTP", SCTP);

    /** Checks the number. */
    public Protocol {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("the number of a protocol must be from 0 to 255: " + number);
        }
    }

    /** Returns the protocol of a name in any case, or of a number; empty if the text is neither. */
    public static Optional<Protocol> find(String text) {
        Protocol named = NAMED.get(text.toUpperCase(Locale.ROOT));
        if (named != null) {
            return Optional.of(named);
        }
        boolean number = text.matches("\\d{1,3}") && Integer.parseInt(text) <= 255;
        return number ? Optional.of(new Protocol(Integer.parseInt(text))) : Optional.empty();
    }

    /** Returns whether packets of the protocol have ports. */
    public boolean hasPorts() {
        return equals(TCP) || equals(UDP) || equals(SCTP);
    }

    /** Returns whether packets of the protocol have an ICMP type and code. */
    public boolean isIcmp() {
        return equals(ICMP) || equals(ICMPV6);
    }

    /** Returns the name in lower case, or the number. */
    @Override
    public String toString() {
        return NAMED.entrySet().stream()
                .filter(named -> named.getValue().equals(this))
                .map(named -> named.getKey().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse(Integer.toString(number));
    }
}
