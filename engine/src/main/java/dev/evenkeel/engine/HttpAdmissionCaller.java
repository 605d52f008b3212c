package dev.evenkeel.engine;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.internal.admission.WebhookStatusException;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.spi.AdmissionCaller;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Calls admission webhooks over HTTPS, as API servers do.
 *
 * <p>Clients that may write webhook configurations decide where this process connects to. By default it therefore
 * connects to this machine only. It follows no redirects, passes on no credentials of clients, trusts only the
 * webhook's {@code caBundle} if there is one, and reads at most 3 MiB of an answer.
 */
public final class HttpAdmissionCaller implements AdmissionCaller {
    private static final int MAX_ANSWER = 3 * 1024 * 1024;
    private static final int CLIENTS = 64;

    private final boolean anywhere;
    private final Function<Service, Optional<URI>> services;
    private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();

    private HttpAdmissionCaller(boolean anywhere, Function<Service, Optional<URI>> services) {
        this.anywhere = anywhere;
        this.services = services;
    }

    /** Returns a caller of webhooks on this machine, by their URL. */
    public static HttpAdmissionCaller loopback() {
        return new HttpAdmissionCaller(false, service -> Optional.empty());
    }

    /**
     * Returns a caller of webhooks on any host. Use it only where every author of webhook configurations is trusted.
     */
    public static HttpAdmissionCaller anywhere() {
        return new HttpAdmissionCaller(true, service -> Optional.empty());
    }

    /**
     * Returns a copy that resolves services to the part of the URL before the path. An engine has no service network of
     * its own.
     */
    public HttpAdmissionCaller services(Function<Service, Optional<URI>> value) {
        return new HttpAdmissionCaller(anywhere, value);
    }

    @Override
    public byte[] call(Webhook webhook, byte[] review, Duration timeout) throws IOException {
        URI url = URI.create(address(webhook) + "?timeout=" + timeout.toSeconds() + "s");
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(review))
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client(webhook).sendAsync(request, head -> new BoundedBody(MAX_ANSWER));
        HttpResponse<byte[]> response = awaited(answer, url, timeout);
        if (response.statusCode() != 200) {
            String text = new String(response.body(), StandardCharsets.UTF_8);
            throw new WebhookStatusException(
                    response.statusCode(),
                    "the server answered " + response.statusCode() + ": "
                            + text.substring(0, Math.min(text.length(), 300)));
        }
        return response.body();
    }

    private static HttpResponse<byte[]> awaited(
            CompletableFuture<HttpResponse<byte[]>> answer, URI url, Duration timeout) throws IOException {
        String what = "Post \"" + url + "\": ";
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(what + "context deadline exceeded", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(what + "interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            throw new IOException(what + why, cause);
        }
    }

    private URI address(Webhook webhook) throws IOException {
        URI url;
        if (webhook.url().isPresent()) {
            url = webhook.url().get();
        } else {
            Service service = webhook.service()
                    .orElseThrow(() -> new IOException("webhook " + webhook.name() + " has neither url nor service"));
            String unreachable = "service " + service
                    + " cannot be reached: this server has no network of services; register the webhook by url";
            url = services.apply(service)
                    .orElseThrow(() -> new IOException(unreachable))
                    .resolve(service.path());
        }
        if (!"https".equals(url.getScheme()) || url.getHost() == null) {
            throw new IOException("url " + url + " must begin with https:// and a host");
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null || url.getRawUserInfo() != null) {
            throw new IOException("url " + url + " must have no query, fragment or user");
        }
        if (!anywhere && !IpLiterals.isThisMachine(url.getHost())) {
            throw new IOException("url " + url + " is not on this machine, and this server calls no other hosts");
        }
        return url;
    }

    private HttpClient client(Webhook webhook) throws IOException {
        HttpClient known = clients.get(webhook.caBundle());
        if (known != null) {
            return known;
        }
        if (clients.size() >= CLIENTS) {
            clients.clear(); // outdated bundles are not used again
        }
        HttpClient.Builder made = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30));
        if (!webhook.caBundle().isEmpty()) {
            made.sslContext(trusting(webhook.caBundle()));
        }
        HttpClient client = made.build();
        HttpClient faster = clients.putIfAbsent(webhook.caBundle(), client);
        return faster == null ? client : faster;
    }

    private static SSLContext trusting(String caBundle) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            List<X509Certificate> trusted = CertificateAuthority.trusted(caBundle);
            for (int i = 0; i < trusted.size(); i++) {
                store.setCertificateEntry("ca-" + i, trusted.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("caBundle cannot be read: " + e.getMessage(), e);
        }
    }
}
