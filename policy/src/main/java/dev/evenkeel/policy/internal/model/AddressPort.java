package dev.evenkeel.policy.internal.model;

/**
 * A port at an address.
 *
 * @param address the address
 * @param protocol the protocol
 * @param port the number
 */
public record AddressPort(Cidr address, Protocol protocol, int port) implements SetMember {
    /** Returns the text, such as {@code 10.0.0.1,tcp:8080}. */
    @Override
    public String toString() {
        return address.addressText() + "," + protocol + ":" + port;
    }
}
