package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.access.internal.CertificateKeys;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the servers of API services.
 *
 * <p>Clients that may write API services and services decide where this process connects to; therefore it connects to
 * this machine only, unless the program allows more.
 */
final class RemoteServers implements AutoCloseable {
    private static final int MOST = 64;
    private static final int CONNECT_MILLIS = 30_000;

    private final boolean anywhere;
    private final Optional<ServerCertificate> certificate;
    private final Map<Identity, HttpClient> clients = new ConcurrentHashMap<>();

    /** The parts of an API service and its address that decide which certificates are trusted. */
    private record Identity(String caBundle, boolean insecure, String name, String host) {}

    /**
     * Creates connections to this machine, or to any.
     *
     * @param certificate by which this server authenticates itself; empty for none
     */
    RemoteServers(boolean anywhere, Optional<ServerCertificate> certificate) {
        this.anywhere = anywhere;
        this.certificate = certificate;
    }

    /**
     * Returns where the server of an API is.
     *
     * @throws IOException when its service has no endpoint, or one that must not be connected to
     */
    URI address(ResourceApi partition, Api api) throws IOException {
        URI address = partition
                .address(api)
                .orElseThrow(() -> new IOException(
                        "no endpoints available for service \"" + api.namespace() + "/" + api.service() + "\""));
        if (!anywhere && !IpLiterals.isThisMachine(address.getHost())) {
            throw new IOException(address + " is not on this machine, and this server forwards to no other hosts");
        }
        return address;
    }

    /** Returns a client that trusts the servers of an API. */
    HttpClient client(Api api, URI address) throws IOException {
        Identity identity = identity(api, address);
        HttpClient known = clients.get(identity);
        if (known != null) {
            return known;
        }
        if (clients.size() >= MOST) {
            clients.clear(); // outdated bundles are not used again
        }
        HttpClient made = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(30))
                .followRedirects(HttpClient.Redirect.NEVER)
                .sslContext(trusting(identity))
                .build();
        HttpClient faster = clients.putIfAbsent(identity, made);
        return faster == null ? made : faster;
    }

    private static Identity identity(Api api, URI address) {
        return new Identity(
                api.caBundle(), api.insecure(), api.service() + "." + api.namespace() + ".svc", address.getHost());
    }

    /** Opens a connection to a server of an API, for one request. */
    Socket connect(Api api, URI address) throws IOException {
        SSLContext context = client(api, address).sslContext();
        Socket plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(address.getHost(), address.getPort()), CONNECT_MILLIS);
            return context.getSocketFactory().createSocket(plain, address.getHost(), address.getPort(), true);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private SSLContext trusting(Identity identity) throws IOException {
        try {
            Optional<X509TrustManager> authorities =
                    identity.insecure ? Optional.empty() : Optional.of(authorities(identity.caBundle));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys(),
                    new TrustManager[] {new NamedTrust(authorities, Set.of(identity.name, identity.host))},
                    null);
            return context;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("caBundle cannot be read: " + e.getMessage(), e);
        }
    }

    private KeyManager @Nullable [] keys() {
        return certificate
                .map(own -> new KeyManager[] {new CertificateKeys(own)})
                .orElse(null);
    }

    private static X509TrustManager authorities(String caBundle) throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(caBundle.isEmpty() ? null : store(caBundle));
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable KeyStore store(String caBundle) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        String pem = new String(Base64.getDecoder().decode(caBundle), StandardCharsets.US_ASCII);
        List<X509Certificate> trusted = CertificateAuthority.trusted(pem);
        for (int i = 0; i < trusted.size(); i++) {
            store.setCertificateEntry("ca-" + i, trusted.get(i));
        }
        return store;
    }

    /** Tells a server who sends a request. */
    static void identify(HttpRequest.Builder request, User user) {
        request.header("X-Remote-User", user.name());
        if (!user.uid().isEmpty()) {
            request.header("X-Remote-Uid", user.uid());
        }
        user.groups().forEach(group -> request.header("X-Remote-Group", group));
        user.extra()
                .forEach((key, values) ->
                        values.forEach(value -> request.header("X-Remote-Extra-" + encoded(key), value)));
    }

    private static String encoded(String key) {
        return URLEncoder.encode(key.toLowerCase(Locale.ROOT), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    @Override
    public void close() {
        clients.values().forEach(HttpClient::shutdownNow);
    }
}
