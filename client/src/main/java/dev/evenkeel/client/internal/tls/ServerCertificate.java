package dev.evenkeel.client.internal.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A server's certificate and its key.
 *
 * @param key of the server alone
 * @param chain the certificate, and after it those that it is signed by
 */
public record ServerCertificate(PrivateKey key, List<X509Certificate> chain) {
    /** Copies the chain. */
    public ServerCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: the server's own certificate is missing");
        }
    }

    /**
     * Reads what {@link #certificatePem} and {@link #keyPem} wrote.
     *
     * @throws IllegalArgumentException when that is something else
     */
    public static ServerCertificate of(String certificatePem, String keyPem) {
        return new ServerCertificate(Pem.key(keyPem), Pem.certificates(certificatePem));
    }

    /** The server's own. */
    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** From when on it holds. */
    public Instant begins() {
        return certificate().getNotBefore().toInstant();
    }

    /** Until when it holds. */
    public Instant ends() {
        return certificate().getNotAfter().toInstant();
    }

    /** The chain, as {@code tls.crt} of a Secret has it. */
    public String certificatePem() {
        return chain.stream().map(Pem::text).collect(Collectors.joining());
    }

    /** The key, as {@code tls.key} of a Secret has it. */
    public String keyPem() {
        return Pem.text(key);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return certificate().getSubjectX500Principal() + ", " + begins() + " to " + ends();
    }
}
