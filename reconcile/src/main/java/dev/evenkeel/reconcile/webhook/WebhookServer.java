package dev.evenkeel.reconcile.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ServerCertificate;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that an API server calls for admission webhooks: HTTPS with {@code AdmissionReview} of
 * {@code admission.k8s.io/v1}, each webhook at a path of its own.
 *
 * <p>It is the HTTPS server of the JDK with a virtual thread for each request. It listens on the loopback address and
 * any free port by default. Invalid requests are answered with a {@code Status}: 400 for a malformed review, 404 for an
 * unknown path, 405 for anything but POST, 413 for a body that is too large, 415 for one that is not JSON. A webhook
 * that throws is a 500, to which the API server applies the failure policy; one that denies is a 200, as the protocol
 * demands.
 *
 * <p>Invariants: no body is read further than the limit; a request that is not received or answered in time loses its
 * connection; the certificate is the current one when a client connects.
 */
public final class WebhookServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    private final HttpsServer server;
    private final ExecutorService threads;
    private final ScheduledExecutorService timer;
    private final Map<String, Function<AdmissionRequest, AdmissionResponse>> webhooks;
    private final String healthPath;
    private final int maxBodyBytes;
    private final Duration timeout;
    private final Duration drain;

    /** The requests in progress; and the server, until it is closed. */
    private final Phaser questions = new Phaser(1);

    private final AtomicBoolean closed = new AtomicBoolean();

    private WebhookServer(Builder builder, Supplier<ServerCertificate> certificate) {
        webhooks = Map.copyOf(builder.webhooks);
        healthPath = builder.healthPath;
        maxBodyBytes = builder.maxBodyBytes;
        timeout = builder.timeout;
        drain = builder.drain;
        try {
            server = HttpsServer.create(builder.address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("webhooks cannot listen on " + builder.address + ": " + e.getMessage(), e);
        }
        server.setHttpsConfigurator(new HttpsConfigurator(RenewingKeyManager.context(certificate)) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters settings = getSSLContext().getDefaultSSLParameters();
                settings.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
                parameters.setSSLParameters(settings);
            }
        });
        threads = Executors.newVirtualThreadPerTaskExecutor();
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("webhook-timeouts").factory());
        server.setExecutor(threads);
        server.createContext("/", this::exchange);
        server.start();
    }

    /** Returns a builder of a server. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the address on which it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns the port on which it listens. */
    public int port() {
        return address().getPort();
    }

    /** Returns the address of a path, for a {@code clientConfig.url}. */
    public URI uri(String path) {
        InetAddress host = address().getAddress();
        String name = host.isAnyLocalAddress() || host.isLoopbackAddress() ? "localhost" : host.getHostAddress();
        return URI.create("https://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + port() + path);
    }

    /** Returns the paths of the webhooks. */
    public Set<String> paths() {
        return webhooks.keySet();
    }

    /** Stops listening, and waits for the requests in progress, for at most the drain time. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        // stop ends listening at once, and then waits, even without requests: so another thread runs it
        Thread unused = Thread.ofVirtual().start(() -> server.stop((int) drain.toSeconds()));
        try {
            int unused2 = questions.awaitAdvanceInterruptibly(
                    questions.arriveAndDeregister(), drain.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.atWarn().addKeyValue("drain", drain).log("questions are left without an answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
        timer.shutdownNow();
    }

    private void exchange(HttpExchange exchange) {
        Future<?> end = timer.schedule(exchange::close, timeout.toMillis(), TimeUnit.MILLISECONDS);
        int unused = questions.register();
        try (exchange) {
            answer(exchange);
        } catch (IOException e) {
            LOG.atDebug()
                    .addKeyValue("client", exchange.getRemoteAddress())
                    .setCause(e)
                    .log("the client of a webhook went away");
        } finally {
            end.cancel(false);
            int unused2 = questions.arriveAndDeregister();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try {
            if (path.equals(healthPath)) {
                send(exchange, 200, "text/plain", "ok".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            Function<AdmissionRequest, AdmissionResponse> webhook = webhooks.get(path);
            if (webhook == null) {
                throw DenialStatus.refusal(404, "no webhook is at " + path + "; there is one at " + webhooks.keySet());
            }
            send(exchange, 200, "application/json", AdmissionJson.review(answered(webhook, question(exchange))));
        } catch (ApiException e) {
            refuse(exchange, e);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("path", path).setCause(e).log("a webhook failed");
            refuse(exchange, DenialStatus.refusal(500, "the webhook at " + path + " failed: " + e));
        }
    }

    @SuppressWarnings("ConstantValue") // what users write may return null
    private static AdmissionResponse answered(
            Function<AdmissionRequest, AdmissionResponse> webhook, AdmissionRequest question) {
        AdmissionResponse answer = webhook.apply(question);
        if (answer == null) {
            throw new IllegalStateException("a webhook returned null: return a response");
        }
        if (answer.getUid() == null) {
            answer.setUid(question.getUid());
        }
        return answer;
    }

    private AdmissionRequest question(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            throw DenialStatus.refusal(
                    405, exchange.getRequestMethod() + " is not served here: questions come by POST");
        }
        String type = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Content-Type"), "");
        if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json")) {
            throw DenialStatus.refusal(
                    415,
                    "Content-Type is " + (type.isEmpty() ? "not there" : "\"" + type + "\"")
                            + ", and must be application/json");
        }
        return AdmissionJson.question(body(exchange));
    }

    private byte[] body(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        boolean declared = length != null && (length.length() > 9 || Integer.parseInt(length) > maxBodyBytes);
        byte[] body = declared ? new byte[0] : exchange.getRequestBody().readNBytes(maxBodyBytes + 1);
        if (declared || body.length > maxBodyBytes) {
            throw DenialStatus.refusal(413, "the body is larger than " + maxBodyBytes + " bytes, which is the limit");
        }
        return body;
    }

    private static void refuse(HttpExchange exchange, ApiException refusal) throws IOException {
        send(exchange, refusal.code(), "application/json", AdmissionJson.status(refusal));
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, head || body.length == 0 ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Builds a server. */
    public static final class Builder {
        private final Map<String, Function<AdmissionRequest, AdmissionResponse>> webhooks = new LinkedHashMap<>();
        private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        private Optional<Supplier<ServerCertificate>> certificate = Optional.empty();
        private String healthPath = "/healthz";
        private int maxBodyBytes = 3 * 1024 * 1024;
        private Duration timeout = Duration.ofSeconds(30);
        private Duration drain = Duration.ofSeconds(10);

        private Builder() {}

        /** Sets the address to listen on; default: a free port of the loopback address. */
        public Builder address(InetSocketAddress value) {
            address = value;
            return this;
        }

        /**
         * Sets the source of the certificate, called each time a client connects; required. See
         * {@link WebhookCertificates}.
         */
        public Builder certificate(Supplier<ServerCertificate> value) {
            certificate = Optional.of(value);
            return this;
        }

        /**
         * Adds a webhook, usually an {@link AdmissionWebhookAdapter}; at least one is required.
         *
         * @param path begins with a slash, such as {@code /mutate-websites}
         */
        public Builder webhook(String path, Function<AdmissionRequest, AdmissionResponse> value) {
            if (!path.startsWith("/") || path.contains("?") || path.contains("#")) {
                throw new IllegalArgumentException(
                        "path: \"" + path + "\" must begin with a slash and have no query, such as /mutate-websites");
            }
            if (webhooks.putIfAbsent(path, value) != null) {
                throw new IllegalArgumentException("path: duplicate webhook at " + path);
            }
            return this;
        }

        /** Sets the path of the health check; default: {@code /healthz}. */
        public Builder healthPath(String value) {
            healthPath = value;
            return this;
        }

        /** Sets the maximum size of a request, in bytes; default: 3 MiB, the maximum that API servers send. */
        public Builder maxBodyBytes(int value) {
            if (value <= 0 || value == Integer.MAX_VALUE) {
                throw new IllegalArgumentException("maxBodyBytes: must be positive: " + value);
            }
            maxBodyBytes = value;
            return this;
        }

        /**
         * Sets the time limit for receiving and answering a request; default: 30 seconds, which is that of API servers.
         */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Sets the time that {@link WebhookServer#close} waits for responses; default: 10 seconds. */
        public Builder drain(Duration value) {
            drain = value;
            return this;
        }

        /**
         * Starts the server.
         *
         * @throws IllegalStateException when something is missing
         * @throws UncheckedIOException when it cannot listen there
         */
        public WebhookServer start() {
            Supplier<ServerCertificate> shown = certificate.orElseThrow(() -> new IllegalStateException(
                    "WebhookServer must define certificate: API servers call by HTTPS; see WebhookCertificates"));
            if (webhooks.isEmpty()) {
                throw new IllegalStateException("WebhookServer must define webhook: add one with webhook(path, ...)");
            }
            return new WebhookServer(this, shown);
        }
    }
}
