package dev.evenkeel.access.internal;

import dev.evenkeel.access.ListenerBuilder.InsecureBindException;
import dev.evenkeel.access.ListenerSettings;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.PBEParameterSpec;

/**
 * The endpoint of a server: where it listens, with which certificate, and how it finds users. Created from settings once
 * they were checked.
 *
 * @param certificate of the server; empty without TLS
 * @param clientCa authorities of client certificates, in PEM; empty when none are requested
 * @param authentication empty when every client is an administrator
 * @param token the first token that was set, or a random one; empty without authentication
 */
public record Endpoint(
        InetAddress address,
        int port,
        Optional<ServerCertificate> certificate,
        String clientCa,
        Optional<Authentication> authentication,
        String token) {
    /** The password of the key store, which never leaves memory. */
    public static final String PASSWORD = "memory";

    private static final Duration VALIDITY = Duration.ofDays(365);

    /**
     * Checks the settings of a server.
     *
     * @throws IllegalArgumentException when client certificates are accepted without TLS, or their authority is malformed
     * @throws InsecureBindException when it would listen beyond loopback without TLS or authentication
     */
    public static Endpoint of(ListenerSettings settings) {
        InetAddress address = address(settings.host());
        boolean tls = settings.tls();
        if (!address.isLoopbackAddress() && !(tls && settings.authentication())) {
            throw new InsecureBindException(
                    "listening on " + settings.host() + " without " + (tls ? "authentication" : "TLS")
                            + " would give the whole network access: enable both, or listen on 127.0.0.1");
        }
        if (!settings.clientCa().isEmpty() && !(tls && settings.authentication())) {
            throw new IllegalArgumentException("client certificates need TLS and authentication: enable both");
        }
        Map<String, User> tokens = new LinkedHashMap<>(settings.tokens());
        if (!settings.authentication()) {
            tokens.clear();
        } else if (tokens.isEmpty()) {
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            tokens.put(Base64.getUrlEncoder().withoutPadding().encodeToString(random), User.ADMIN);
        }
        String first = tokens.keySet().stream().findFirst().orElse("");
        Map<String, User> all = new LinkedHashMap<>(settings.fileTokens());
        all.putAll(tokens);
        Optional<Authentication> authentication = settings.authentication()
                ? Optional.of(new Authentication(new Authentication.Settings(
                        all,
                        settings.clientCa(),
                        settings.providers(),
                        settings.anonymous(),
                        settings.issuer(),
                        settings.clock())))
                : Optional.empty();
        Optional<ServerCertificate> certificate = tls
                ? settings.certificate()
                        .or(() -> Optional.of(created(address, settings.clock().instant())))
                : Optional.empty();
        return new Endpoint(address, settings.port(), certificate, settings.clientCa(), authentication, first);
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("no such address to listen on: " + host, e);
        }
    }

    /** Creates a certificate, and the authority that signs it, that exist in memory only. */
    private static ServerCertificate created(InetAddress address, Instant now) {
        return CertificateAuthority.create("evenkeel-ca", now, VALIDITY)
                .issue("evenkeel", List.of("localhost", "127.0.0.1", "::1", address.getHostAddress()), now, VALIDITY);
    }

    /** Returns the address for clients. */
    public String host() {
        return address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
    }

    /** Returns the certificate for clients to trust, in PEM; empty without TLS. */
    public String caCertificate() {
        return certificate
                .map(server -> new ServerCertificate(
                                server.key(), List.of(server.chain().getLast()))
                        .certificatePem())
                .orElse("");
    }

    /** Returns a key store with the key and the chain of a certificate, under {@link #PASSWORD}. */
    public static KeyStore keyStore(ServerCertificate certificate) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Certificate[] chain = certificate.chain().toArray(Certificate[]::new);
            store.setEntry("server", new KeyStore.PrivateKeyEntry(certificate.key(), chain), protection());
            return store;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot keep certificates: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a protection by {@link #PASSWORD} in a single round: the default of 10,000 takes tens of milliseconds in a
     * new process, and protects nothing where the password is next to the key.
     */
    private static KeyStore.PasswordProtection protection() {
        byte[] salt = new byte[16];
        return new KeyStore.PasswordProtection(
                PASSWORD.toCharArray(), "PBEWithHmacSHA256AndAES_256", new PBEParameterSpec(salt, 1));
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return host() + ", port " + port;
    }
}
