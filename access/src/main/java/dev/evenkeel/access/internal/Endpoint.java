package dev.evenkeel.access.internal;

import dev.evenkeel.access.ListenerBuilder.InsecureBindException;
import dev.evenkeel.access.ListenerSettings;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.User;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

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
    private static final Duration VALIDITY = Duration.ofDays(365);

    /** Servers of one process share a certificate that is at most so old: to create one takes longer than to listen. */
    private static final Duration SHARED = Duration.ofMinutes(30);

    private static final AtomicReference<@Nullable Created> LAST = new AtomicReference<>();

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

    /** Returns a certificate, and the authority that signed it, that exist in memory only. */
    private static ServerCertificate created(InetAddress address, Instant now) {
        Created last = LAST.get();
        Created created = last != null && last.suits(address, now) ? last : Created.at(address, now);
        LAST.set(created);
        return created.certificate;
    }

    private record Created(InetAddress address, Instant time, ServerCertificate certificate) {
        static Created at(InetAddress address, Instant now) {
            List<String> hosts = List.of("localhost", "127.0.0.1", "::1", address.getHostAddress());
            CertificateAuthority authority = CertificateAuthority.create("evenkeel-ca", now, VALIDITY);
            return new Created(address, now, authority.issue("evenkeel", hosts, now, VALIDITY));
        }

        boolean suits(InetAddress other, Instant now) {
            return address.equals(other) && Duration.between(time, now).abs().compareTo(SHARED) <= 0;
        }
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

    /**
     * Returns what TLS connections are made with: the certificate, and a request for those of clients.
     *
     * @throws IllegalStateException without TLS
     */
    public SSLContext tls() {
        ServerCertificate own = certificate.orElseThrow(() -> new IllegalStateException("the endpoint is without TLS"));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new CertificateKeys(own)},
                    new TrustManager[] {new RequestedCertificates(clientCa)},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot serve with TLS: " + e.getMessage(), e);
        }
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return host() + ", port " + port;
    }
}
