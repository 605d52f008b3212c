package dev.evenkeel.access;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.User;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The address that a server listens on, its certificate, and the users that it accepts; set by a {@link ListenerBuilder}.
 *
 * @param host address to listen on, a name or a number
 * @param port port to listen on; 0 for any free one
 * @param tls whether connections are encrypted
 * @param certificate of the server; empty for one that is created when it starts
 * @param authentication whether requests need credentials
 * @param tokens users by static token
 * @param fileTokens users by static token, from files
 * @param clientCa authorities of client certificates, in PEM; empty when certificates are not accepted
 * @param providers of ID tokens
 * @param anonymous whether requests without credentials are those of {@link User#ANONYMOUS}
 * @param issuer the issuer of tokens of service accounts
 * @param clock by which certificates and tokens end
 */
public record ListenerSettings(
        String host,
        int port,
        boolean tls,
        Optional<ServerCertificate> certificate,
        boolean authentication,
        Map<String, User> tokens,
        Map<String, User> fileTokens,
        String clientCa,
        List<OidcProvider> providers,
        boolean anonymous,
        String issuer,
        Clock clock) {
    /** Copies the collections, in their order. */
    public ListenerSettings {
        tokens = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(tokens));
        fileTokens = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(fileTokens));
        providers = List.copyOf(providers);
    }

    /** Returns a text without tokens. */
    @Override
    public String toString() {
        return host + ", port " + port + (tls ? ", TLS" : "") + (authentication ? ", authentication" : "");
    }
}
