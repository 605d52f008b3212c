package dev.evenkeel.client;

import dev.evenkeel.client.internal.tls.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A server's certificate and its key.
 *
 * @param chain the certificate, followed by its issuers
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
     * Reads the texts of {@link #certificatePem} and {@link #keyPem}.
     *
     * @throws IllegalArgumentException when they are malformed
     */
    public static ServerCertificate of(String certificatePem, String keyPem) {
        return new ServerCertificate(Pem.key(keyPem), Pem.certificates(certificatePem));
    }

    /** Returns the server's own certificate. */
    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** Returns the begin of validity. */
    public Instant begins() {
        return certificate().getNotBefore().toInstant();
    }

    /** Returns the end of validity. */
    public Instant ends() {
        return certificate().getNotAfter().toInstant();
    }

    /** Returns the chain, in the form of {@code tls.crt} of a Secret. */
    public String certificatePem() {
        return chain.stream().map(Pem::text).collect(Collectors.joining());
    }

    /** Returns the key, in the form of {@code tls.key} of a Secret. */
    public String keyPem() {
        return Pem.text(key);
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return certificate().getSubjectX500Principal() + ", " + begins() + " to " + ends();
    }
}
