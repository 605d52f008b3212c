package dev.evenkeel.access.internal;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The credentials that a client sent.
 *
 * @param token bearer token; empty when there is none
 * @param certificates chain of the client, its own first, not verified; empty when there is none
 */
public record Credentials(String token, List<X509Certificate> certificates) {
    /** No credentials. */
    public static final Credentials NONE = new Credentials("", List.of());

    /** Copies the chain. */
    public Credentials {
        certificates = List.copyOf(certificates);
    }

    /** Returns true if the client sent nothing. */
    public boolean absent() {
        return token.isEmpty() && certificates.isEmpty();
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return (token.isEmpty() ? "no token" : "a token") + ", " + certificates.size() + " certificates";
    }
}
