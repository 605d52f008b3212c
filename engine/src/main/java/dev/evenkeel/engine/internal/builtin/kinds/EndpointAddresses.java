package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.internal.IpLiteral;
import dev.evenkeel.engine.internal.schema.Field;
import java.net.InetAddress;

/** Rules of the addresses of endpoints, which must not be those of a node itself. */
final class EndpointAddresses {
    private EndpointAddresses() {}

    /** Validates a well-formed address. */
    static void validate(Field field) {
        InetAddress address =
                IpLiteral.parse(AddressWarnings.decimal(field.text())).orElseThrow();
        if (address.isAnyLocalAddress()) {
            field.invalid("may not be unspecified (" + field.text() + ")");
        }
        if (address.isLoopbackAddress()) {
            field.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            field.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            field.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }
}
