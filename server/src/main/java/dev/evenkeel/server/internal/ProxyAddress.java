package dev.evenkeel.server.internal;

import dev.evenkeel.client.internal.IpLiteral;
import java.net.InetAddress;
import java.util.Optional;

/**
 * An object that a request is forwarded to, and the number or the name of its port.
 *
 * @param port empty for the object's own
 */
record ProxyAddress(String name, String port) {
    /** Reads {@code NAME}, {@code NAME:PORT} or {@code SCHEME:NAME:PORT}; returns empty for other forms and schemes. */
    static Optional<ProxyAddress> parse(String text) {
        String[] parts = text.split(":", -1);
        ProxyAddress address = switch (parts.length) {
            case 1 -> new ProxyAddress(text, "");
            case 2 -> new ProxyAddress(parts[0], parts[1]);
            case 3 -> new ProxyAddress(isScheme(parts[0]) ? parts[1] : "", parts[2]);
            default -> new ProxyAddress("", "");
        };
        return address.name.isEmpty() ? Optional.empty() : Optional.of(address);
    }

    private static boolean isScheme(String text) {
        return text.isEmpty() || text.equals("http") || text.equals("https");
    }

    /** Returns whether requests may be forwarded to an address: not to machines that only the server itself reaches. */
    static boolean isAllowed(String address) {
        return IpLiteral.parse(address).filter(ProxyAddress::isGlobalUnicast).isPresent();
    }

    /** Returns whether requests may be forwarded to a host; names are not resolved. */
    static boolean isAllowedHost(String host) {
        return IpLiteral.parse(host).map(ProxyAddress::isGlobalUnicast).orElse(true);
    }

    private static boolean isGlobalUnicast(InetAddress address) {
        return !address.isLoopbackAddress()
                && !address.isAnyLocalAddress()
                && !address.isLinkLocalAddress()
                && !address.isMulticastAddress()
                && !address.getHostAddress().equals("255.255.255.255");
    }
}
