package dev.evenkeel.server.internal.access;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate authority and a server certificate that exist as long as the server, in memory only.
 *
 * @param keyStore holds the server's key and chain, under {@link #PASSWORD}
 * @param caPem the certificate for clients to trust
 */
public record Certificates(KeyStore keyStore, String caPem) {
    /** The password of the key store, which never leaves memory. */
    public static final String PASSWORD = "memory";

    private static final Duration VALIDITY = Duration.ofDays(365);

    /** Creates certificates for a server that listens on an address. */
    public static Certificates create(InetAddress address, Clock clock) {
        Instant now = clock.instant();
        CertificateAuthority authority = CertificateAuthority.create("evenkeel-ca", now, VALIDITY);
        ServerCertificate server = authority.issue(
                "evenkeel", List.of("localhost", "127.0.0.1", "::1", address.getHostAddress()), now, VALIDITY);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Certificate[] chain = server.chain().toArray(Certificate[]::new);
            store.setKeyEntry("server", server.key(), PASSWORD.toCharArray(), chain);
            return new Certificates(store, authority.certificatePem());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot keep certificates: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
