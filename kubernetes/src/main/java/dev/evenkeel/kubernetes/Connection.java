package dev.evenkeel.kubernetes;

import dev.evenkeel.client.TokenSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The address of an API server, the certificates to trust, and the credentials to use.
 *
 * <p>Nothing is taken from the environment unless requested: no kubeconfig of the user, no environment variables, no
 * proxy. A connection is a description; nothing is opened.
 */
public final class Connection {
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private final URI server;
    private final @Nullable X509ExtendedTrustManager trust;
    private final @Nullable SSLContext tls;
    private final boolean clientCertificate;
    private final boolean insecure;
    private final @Nullable TokenSource tokens;
    private final @Nullable URI proxy;
    private final String namespace;
    private final Map<String, List<String>> headers;

    private Connection(Builder builder) {
        server = builder.server;
        trust = builder.trust;
        tls = "https".equalsIgnoreCase(server.getScheme()) ? builder.tls() : null;
        clientCertificate = !builder.certificate.isEmpty();
        insecure = builder.insecure;
        tokens = builder.tokens;
        proxy = builder.proxy;
        namespace = builder.namespace;
        headers = Map.copyOf(builder.headers);
    }

    /**
     * Returns the cluster and user of the current context of a kubeconfig.
     *
     * @throws IllegalArgumentException when the file has something unsupported; names the field
     * @throws UncheckedIOException when the file, or one it names, cannot be read
     */
    public static Connection fromKubeconfig(Path file) {
        return fromKubeconfig(file, "");
    }

    /**
     * Returns the cluster and user of one context of a kubeconfig.
     *
     * @param context its name; empty for the current one
     * @throws IllegalArgumentException when the context does not exist, or the file has something unsupported
     * @throws UncheckedIOException when the file, or one it names, cannot be read
     */
    public static Connection fromKubeconfig(Path file, String context) {
        return Kubeconfig.read(file, InstantSource.system()).connection(context);
    }

    /**
     * Returns the cluster that this process is a pod of, with its service account.
     *
     * @throws IllegalStateException when the process is not a pod; the message names what is missing
     */
    public static Connection inCluster() {
        return inCluster(System.getenv(), SERVICE_ACCOUNT);
    }

    static Connection inCluster(Map<String, String> environment, Path serviceAccount) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        if (host.isEmpty() || port.isEmpty()) {
            throw new IllegalStateException("not in a cluster: the environment has no KUBERNETES_SERVICE_HOST and"
                    + " KUBERNETES_SERVICE_PORT; use Connection.fromKubeconfig");
        }
        Path token = serviceAccount.resolve("token");
        if (!Files.isReadable(token)) {
            throw new IllegalStateException(
                    "not in a cluster: " + token + " cannot be read; is automountServiceAccountToken off?");
        }
        Builder builder = to(URI.create("https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port))
                .tokenFile(token)
                .caFile(serviceAccount.resolve("ca.crt"));
        Path namespace = serviceAccount.resolve("namespace");
        if (Files.isReadable(namespace)) {
            builder.namespace(read(namespace).strip());
        }
        return builder.build();
    }

    /** Returns a builder of a connection to a server, such as {@code https://api.example.com:6443}. */
    public static Builder to(URI server) {
        return new Builder(server);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
            throw new UncheckedIOException("cannot read " + file + ": " + why, e);
        }
    }

    /** Returns the address of the server. */
    public URI server() {
        return server;
    }

    /** Returns the namespace of the context or pod; {@code default} when it is not set. */
    public String namespace() {
        return namespace;
    }

    /** Returns the trusted authorities; empty for those of the JDK. */
    Optional<X509ExtendedTrustManager> trust() {
        return Optional.ofNullable(trust);
    }

    boolean insecure() {
        return insecure;
    }

    /** Returns the TLS settings, with the trusted authorities and the client certificate; empty over plain HTTP. */
    public Optional<SSLContext> tls() {
        return Optional.ofNullable(tls);
    }

    /** Returns the source of tokens; empty when requests have none. */
    public Optional<TokenSource> tokens() {
        return Optional.ofNullable(tokens);
    }

    /** Returns the HTTP proxy; empty when connections are direct. */
    public Optional<URI> proxy() {
        return Optional.ofNullable(proxy);
    }

    /** Returns the headers of all requests, which impersonate a user. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    static boolean loopback(URI address) {
        String host = address.getHost();
        return host != null
                && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]") || host.equals("::1"));
    }

    /** Returns a text without secrets. */
    @Override
    public String toString() {
        return "Connection[" + server + (insecure ? ", insecure" : "") + (tokens == null ? "" : ", token")
                + (clientCertificate ? ", client certificate" : "") + "]";
    }

    /** Builds a connection. */
    public static final class Builder {
        private final URI server;
        private @Nullable X509ExtendedTrustManager trust;
        private String certificate = "";
        private String key = "";
        private boolean insecure;
        private @Nullable TokenSource tokens;
        private @Nullable URI proxy;
        private String namespace = "default";
        private final Map<String, List<String>> headers = new LinkedHashMap<>();

        private Builder(URI server) {
            String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
            if (!(scheme.equals("https") || scheme.equals("http")) || server.getHost() == null) {
                throw new IllegalArgumentException(
                        "server \"" + server + "\": an address is like https://api.example.com:6443");
            }
            this.server = server;
        }

        /** Trusts certificates of these authorities, in PEM; default: those that the JDK trusts. */
        public Builder ca(String pem) {
            trust = pem.isEmpty() ? null : Tls.authorities(pem);
            return this;
        }

        /**
         * Trusts certificates of the authorities in this PEM file, which is read again at each TLS handshake.
         *
         * @throws UncheckedIOException when it cannot be read
         * @throws IllegalArgumentException when it has no certificates
         */
        public Builder caFile(Path file) {
            trust = new AuthorityFile(file);
            return this;
        }

        /** Authenticates with a client certificate, in PEM; the key may be in PKCS#8, PKCS#1 or SEC 1. */
        public Builder clientCertificate(String certificatePem, String keyPem) {
            certificate = certificatePem;
            key = keyPem;
            return this;
        }

        /** Authenticates with this token. */
        public Builder token(String value) {
            return tokens(() -> value);
        }

        /** Authenticates with the token in this file, which is read again each minute. */
        public Builder tokenFile(Path file) {
            return tokens(new FileToken(file, InstantSource.system()));
        }

        /** Authenticates with tokens from this source. */
        public Builder tokens(TokenSource source) {
            tokens = source;
            return this;
        }

        /**
         * Sets whether any server certificate is trusted, and tokens are sent unencrypted over plain HTTP; default:
         * false. Any intermediary can then read and change everything: for tests.
         */
        public Builder insecure(boolean value) {
            insecure = value;
            return this;
        }

        /** Connects through an HTTP proxy, such as {@code http://proxy.example.com:3128}. */
        public Builder proxy(URI address) {
            if (!"http".equals(address.getScheme()) || address.getHost() == null) {
                throw new IllegalArgumentException("proxy \"" + address
                        + "\": only HTTP proxies are known, such as http://proxy.example.com:3128");
            }
            proxy = address;
            return this;
        }

        /** Sets the namespace that {@link Connection#namespace} returns; {@code default} by default. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Impersonates another user, if the server allows it. */
        public Builder impersonate(String user, List<String> groups) {
            headers.put("Impersonate-User", List.of(user));
            if (!groups.isEmpty()) {
                headers.put("Impersonate-Group", List.copyOf(groups));
            }
            return this;
        }

        /**
         * Returns the connection.
         *
         * @throws IllegalArgumentException when certificates or the key cannot be read, or a token would be sent
         *     unencrypted
         */
        public Connection build() {
            if (certificate.isEmpty() != key.isEmpty()) {
                throw new IllegalArgumentException("a client certificate needs its key, and the other way round");
            }
            boolean clear = "http".equalsIgnoreCase(server.getScheme());
            if (clear && tokens != null && !insecure && !loopback(server)) {
                throw new IllegalArgumentException(
                        "server \"" + server + "\": a token would be sent unencrypted; use https, or insecure(true)");
            }
            return new Connection(this);
        }

        private SSLContext tls() {
            return Tls.context(insecure ? new Tls.Anyone() : trust, certificate, key);
        }
    }
}
