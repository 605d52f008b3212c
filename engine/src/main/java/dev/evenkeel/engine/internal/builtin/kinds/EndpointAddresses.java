package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;

/** Rules of the addresses of endpoints, which must not be those of a node itself. */
final class EndpointAddresses {
    private EndpointAddresses() {}

    /** Validates a well-formed address. */
    static void validate(Field address) {
        String text = address.text();
        if (text.equals("0.0.0.0") || text.matches("[0:]*:[0:]*")) {
            address.invalid("may not be unspecified (" + text + ")");
        }
        if (text.startsWith("127.") || text.matches("[0:]*:0*1")) {
            address.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (text.startsWith("169.254.")
                || text.toLowerCase(java.util.Locale.ROOT).matches("fe[89ab][0-9a-f]:.*")) {
            address.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (text.startsWith("224.0.0.")
                || text.toLowerCase(java.util.Locale.ROOT).startsWith("ff02:")) {
            address.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }
}
