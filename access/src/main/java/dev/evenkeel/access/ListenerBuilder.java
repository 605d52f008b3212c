package dev.evenkeel.access;

import dev.evenkeel.access.internal.TokenFile;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.type.Tokens;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of the builder of a server that all servers have: the address, the certificate, and the users.
 *
 * @param <B> class of the builder
 */
public abstract class ListenerBuilder<B extends ListenerBuilder<B>> {
    private String host = "127.0.0.1";
    private int port;
    private boolean tls = true;
    private Optional<ServerCertificate> certificate = Optional.empty();
    private boolean authentication = true;
    private final Map<String, User> tokens = new LinkedHashMap<>();
    private final Map<String, User> fileTokens = new LinkedHashMap<>();
    private String clientCa = "";
    private final List<OidcProvider> providers = new ArrayList<>();
    private boolean anonymous;
    private String issuer = Tokens.AUDIENCE;
    private Clock clock = Clock.systemUTC();

    /** Creates a builder for a server on loopback with TLS and authentication. */
    protected ListenerBuilder() {}

    /** Returns this builder. */
    protected abstract B self();

    /** Returns the settings so far. */
    public ListenerSettings settings() {
        return new ListenerSettings(
                host,
                port,
                tls,
                certificate,
                authentication,
                tokens,
                fileTokens,
                clientCa,
                providers,
                anonymous,
                issuer,
                clock);
    }

    /** Sets the address to listen on: a name or number; 127.0.0.1 by default. */
    public B host(String value) {
        host = value;
        return self();
    }

    /** Sets the port to listen on; 0, the default, is any free one. */
    public B port(int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException("port must be from 0 to 65535: " + value + "; 0 selects a free port");
        }
        port = value;
        return self();
    }

    /** Sets whether connections are encrypted; true by default. Plain connections only on loopback. */
    public B tls(boolean value) {
        tls = value;
        return self();
    }

    /**
     * Sets the certificate of the server. By default one is created, with an authority that signs nothing else; servers
     * that the process starts within half an hour on one address share it.
     */
    public B certificate(ServerCertificate value) {
        certificate = Optional.of(value);
        return self();
    }

    /**
     * Sets whether requests need a token; true by default. Without, every process of this machine has full access, so
     * only loopback is accepted: for tests and benchmarks.
     */
    public B authentication(boolean value) {
        authentication = value;
        return self();
    }

    /** Accepts this token, instead of the random one, for this user. */
    public B token(String token, User user) {
        tokens.put(token, user);
        return self();
    }

    /**
     * Accepts the tokens of a file in the format of kube-apiserver, {@code token,user,uid,"group1,group2"}, in addition to
     * others.
     *
     * @throws IllegalArgumentException when a line is malformed
     */
    public B tokenFile(Path file) {
        fileTokens.putAll(TokenFile.read(file));
        return self();
    }

    /**
     * Accepts client certificates of these authorities, in PEM: the common name is the user, the organisations are the
     * groups. Needs TLS.
     */
    public B clientCa(String pem) {
        clientCa = pem;
        return self();
    }

    /** Accepts the ID tokens of an OpenID Connect provider. */
    public B oidc(OidcProvider provider) {
        providers.add(provider);
        return self();
    }

    /**
     * Sets whether requests without credentials are those of {@link User#ANONYMOUS}, instead of refused; false by
     * default. Health and version are served without credentials in any case.
     */
    public B anonymous(boolean value) {
        anonymous = value;
        return self();
    }

    /**
     * Sets the issuer of tokens of service accounts: the URL at which others find the discovery document; {@code
     * https://kubernetes.default.svc} by default.
     */
    public B issuer(String value) {
        issuer = value;
        return self();
    }

    /** Sets the clock by which certificates are dated. */
    public B clock(Clock value) {
        clock = value;
        return self();
    }

    /** Thrown when a server would be reachable from other machines without TLS or without authentication. */
    public static final class InsecureBindException extends IllegalStateException {
        /** Creates an exception. */
        public InsecureBindException(String message) {
            super(message);
        }
    }
}
