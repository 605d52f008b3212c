package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.internal.retry.Attempts;
import dev.evenkeel.client.internal.retry.Timing;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests: with a token, within limits, again where that is safe.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Requests are sent again as {@link Attempts} says.
 *   <li>Every wait ends: for headers and for each next piece of a body there is a timeout, and an interrupted thread
 *       waits for nothing.
 *   <li>A connection on which a request has timed out is used for nothing new: if the peer vanished silently, it would
 *       delay all requests for a quarter of an hour. Requests in progress on it continue.
 *   <li>Redirects are not followed: they would carry the token to another server.
 * </ol>
 *
 * <p><b>Concurrency.</b> Callers wait in their own threads; the HTTP client runs on virtual threads. Over TLS all
 * requests and watches share a connection (HTTP/2), on plain HTTP each has its own while it lasts. A server limits the
 * streams of a connection, often to 250, and watches hold one each: when all are in use, another connection is opened.
 */
final class Transport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
    private static final int REFUSAL_BYTES = 1024 * 1024;
    private static final int GZIP_BUFFER = 64 * 1024;
    private static final int MOST_CONNECTIONS = 64;

    /** The part of the response timeout, as a divisor, after which an interrupted wait counts as a timeout. */
    private static final int INTERRUPT_FRACTION = 10;

    /** The JDK's only sign that a server takes no more streams on a connection: nothing was sent then. */
    private static final String FULL = "too many concurrent streams";

    /** Reads the body of an answer. */
    interface Reader<R> {
        R read(InputStream body) throws IOException;
    }

    private final Connection connection;
    private final KubernetesClient.Builder settings;
    private final Timing pace;
    private final Attempts attempts;
    private final @Nullable RateLimit limit;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Supplier<HttpClient> another;

    /** Clients with one connection each over HTTP/2; the first with capacity is used. */
    private final List<HttpClient> clients = new CopyOnWriteArrayList<>();

    private final String base;
    private final boolean compress;

    Transport(Connection connection, KubernetesClient.Builder settings) {
        this.connection = connection;
        this.settings = settings;
        pace = settings.pace;
        attempts = new Attempts(settings.retry, connection.tokens(), pace);
        limit = settings.requestsPerSecond == 0
                ? null
                : new RateLimit(settings.requestsPerSecond, settings.burst, pace.nanoTime());
        boolean http2 = connection.tls().isPresent() && settings.http2;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(settings.requestTimeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(connection.proxy().map(Transport::selector).orElse(HttpClient.Builder.NO_PROXY))
                .version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        connection.tls().ifPresent(builder::sslContext);
        another = builder::build;
        clients.add(another.get());
        base = connection.server().toString().replaceAll("/+$", "");
        compress = settings.compression.orElse(!Connection.loopback(connection.server()));
    }

    private static ProxySelector selector(URI proxy) {
        return ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort()));
    }

    /** Sends a request, and reads its response. */
    <R> R send(ApiRequest request, Reader<R> reader) {
        return attempts(request, token -> {
            HttpResponse<ResponseBody> response = exchange(request, token, settings.requestTimeout);
            try (ResponseBody body = response.body()) {
                check(request, response);
                return reader.read(decompressed(response.headers(), body));
            } catch (InterruptedIOException e) {
                throw interrupted(request, e);
            } catch (IOException e) {
                throw broken(request, e);
            }
        });
    }

    /** Opens a stream of a response; the caller closes the body. */
    ResponseBody open(ApiRequest request, Duration patience) {
        return attempts(request, token -> {
            HttpResponse<ResponseBody> response = exchange(request, token, patience);
            try {
                check(request, response);
                return response.body();
            } catch (RuntimeException e) {
                response.body().close();
                throw e;
            }
        });
    }

    /** Opens a WebSocket, and returns its messages, a line each; the caller closes the body. */
    ResponseBody openSocket(ApiRequest request, Duration patience) {
        return attempts(request, token -> {
            WebSocket.Builder builder =
                    clients.getFirst().newWebSocketBuilder().connectTimeout(settings.requestTimeout);
            headers(request, token, builder::header);
            URI address = URI.create("ws" + base.substring("http".length()) + request.path());
            ResponseBody messages = new ResponseBody(patience);
            try {
                var unused = await(request, builder.buildAsync(address, new SocketBody(messages)));
                return messages;
            } catch (ConnectionException e) {
                if (e.getCause() instanceof WebSocketHandshakeException refused && refused.getResponse() != null) {
                    HttpResponse<?> response = refused.getResponse();
                    byte[] body = response.body() instanceof String text ? text.getBytes(UTF_8) : new byte[0];
                    throw refusal(response.statusCode(), response.headers(), body);
                }
                throw e;
            }
        });
    }

    /** Gives the headers that requests and handshakes have in common. */
    private void headers(ApiRequest request, String token, BiConsumer<String, String> header) {
        header.accept("Accept", request.accept());
        header.accept("User-Agent", settings.userAgent);
        if (!token.isEmpty()) {
            header.accept("Authorization", "Bearer " + token);
        }
        connection.headers().forEach((name, values) -> values.forEach(value -> header.accept(name, value)));
    }

    private <R> R attempts(ApiRequest request, Function<String, R> attempt) {
        return attempts.send(request.toString(), request.repeat(), token -> {
            throttle(request);
            return attempt.apply(token);
        });
    }

    private void throttle(ApiRequest request) {
        RateLimit bucket = limit;
        if (bucket != null) {
            long wait = bucket.take(pace.nanoTime());
            if (wait > 0) {
                attempts.pause(request.toString(), Duration.ofNanos(wait));
            }
        }
    }

    private HttpResponse<ResponseBody> exchange(ApiRequest request, String token, Duration patience) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(base + request.path()));
        headers(request, token, builder::header);
        if (request.contentType().isEmpty()) {
            builder.method(request.method(), BodyPublishers.noBody());
        } else {
            builder.method(request.method(), BodyPublishers.ofByteArray(request.body()));
            builder.header("Content-Type", request.contentType());
        }
        if (request.large() && compress) {
            builder.header("Accept-Encoding", "gzip");
        }
        request.fence().ifPresent(fence -> builder.header(Fence.HEADER, fence.header()));
        HttpRequest built = builder.build();
        for (int number = 0; ; number++) {
            HttpClient client = client(number);
            long sent = pace.nanoTime();
            try {
                return await(request, client.sendAsync(built, unused -> new ResponseBody(patience)));
            } catch (RequestInterruptedException e) {
                if (pace.nanoTime() - sent >= settings.requestTimeout.toNanos() / INTERRUPT_FRACTION) {
                    replace(client);
                }
                throw e;
            } catch (ConnectionException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                if (cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException)) {
                    replace(client);
                }
                String why = cause.getMessage();
                if (why == null || !why.contains(FULL) || number == MOST_CONNECTIONS - 1) {
                    throw e;
                }
            }
        }
    }

    private synchronized HttpClient client(int number) {
        if (number == clients.size()) {
            clients.add(another.get());
        }
        return clients.get(number);
    }

    /**
     * Removes a client from use, unless that was done already. It is not shut down, as another thread may be about to
     * send: the JDK ends an unreferenced client when its last request has ended.
     */
    private synchronized void replace(HttpClient client) {
        int number = clients.indexOf(client);
        if (number >= 0) {
            clients.set(number, another.get());
        }
    }

    private <R> R await(ApiRequest request, CompletableFuture<R> answer) {
        try {
            return answer.get(settings.requestTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted during " + request, e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw broken(
                    request, new HttpTimeoutException("no answer in " + settings.requestTimeout.toMillis() + " ms"));
        } catch (ExecutionException e) {
            throw broken(request, e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause()));
        }
    }

    ConnectionException broken(ApiRequest request, IOException cause) {
        String why = Objects.requireNonNullElseGet(
                cause.getMessage(), () -> cause instanceof ConnectException ? "cannot connect" : cause.toString());
        return new ConnectionException(request + " of " + connection.server() + ": " + why, cause);
    }

    static RequestInterruptedException interrupted(ApiRequest request, InterruptedIOException cause) {
        InterruptedException original =
                cause.getCause() instanceof InterruptedException e ? e : new InterruptedException(cause.getMessage());
        return new RequestInterruptedException("interrupted during " + request, original);
    }

    /** Logs the warnings of a response, and throws an exception when it is not a success. */
    private void check(ApiRequest request, HttpResponse<ResponseBody> response) {
        HttpHeaders headers = response.headers();
        headers.allValues("Warning").forEach(warning -> LOG.warn("{}", warning(warning)));
        int code = response.statusCode();
        if (code >= 200 && code < 300) {
            return;
        }
        if (code >= 300 && code < 400) {
            String target = headers.firstValue("Location").orElse("nowhere");
            throw new KubernetesClient.UnexpectedAnswerException(request + " of " + connection.server()
                    + " was redirected to " + target
                    + ", which is not followed: is this the address of the API server?");
        }
        byte[] text;
        try {
            text = decompressed(headers, response.body()).readNBytes(REFUSAL_BYTES);
        } catch (InterruptedIOException e) {
            throw interrupted(request, e);
        } catch (IOException e) {
            text = new byte[0]; // the code says enough
        }
        throw refusal(code, headers, text);
    }

    /** Returns the text of a header such as {@code 299 - "text"}; the whole header when it has another form. */
    static String warning(String header) {
        int from = header.indexOf('"');
        int to = header.lastIndexOf('"');
        return to <= from ? header : header.substring(from + 1, to).replaceAll("(?s)\\\\(.)", "$1");
    }

    private static Attempts.Refused refusal(int code, HttpHeaders headers, byte[] body) {
        Optional<Duration> retryAfter = headers.firstValue("Retry-After").map(Transport::seconds);
        int seconds = (int) retryAfter.orElse(Duration.ZERO).toSeconds();
        return new Attempts.Refused(ErrorResponses.of(code, seconds, body), retryAfter);
    }

    /** Returns a number of seconds; a date, which no API server sends, counts as one second. */
    private static Duration seconds(String text) {
        try {
            return Duration.ofSeconds(Math.max(0, Integer.parseInt(text.strip())));
        } catch (NumberFormatException e) {
            return Duration.ofSeconds(1);
        }
    }

    private static InputStream decompressed(HttpHeaders headers, ResponseBody body) throws IOException {
        boolean gzip = headers.firstValue("Content-Encoding").orElse("").strip().equalsIgnoreCase("gzip");
        return gzip ? new GZIPInputStream(body, GZIP_BUFFER) : body;
    }

    @Override
    public void close() {
        attempts.end();
        clients.forEach(HttpClient::shutdownNow);
        executor.shutdownNow();
    }
}
