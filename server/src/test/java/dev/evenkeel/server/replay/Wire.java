package dev.evenkeel.server.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Sends requests to one server, as the recorder did. */
public final class Wire implements AutoCloseable {
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final HttpClient http;
    private final URI base;
    private final String token;

    /** For the server at this address, which knows this token as an administrator. */
    public Wire(URI base, String token) {
        this.base = base;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trustAnyone())
                .connectTimeout(Duration.ofSeconds(60))
                .executor(THREADS)
                .build();
    }

    /** Sends a request and reads the whole answer. */
    public Answer send(String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        try {
            HttpResponse<byte[]> response = http.send(
                    request(method, path, headers, body, Duration.ofSeconds(120)),
                    HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers().map(), response.body());
        } catch (IOException e) {
            return new Answer(0, Map.of(), e.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a request and returns the answer when its headers arrive; the body is read in the background. */
    Stream open(String method, String path, Map<String, String> headers, Duration longest) {
        CompletableFuture<HttpResponse<InputStream>> response = http.sendAsync(
                request(method, path, headers, Optional.empty(), longest), HttpResponse.BodyHandlers.ofInputStream());
        return new Stream(response, response.thenApplyAsync(head -> read(head, longest), THREADS));
    }

    /**
     * An answer in progress.
     *
     * @param head done when the headers have arrived
     * @param whole done at the end of the stream
     */
    record Stream(CompletableFuture<HttpResponse<InputStream>> head, CompletableFuture<Answer> whole) {}

    @SuppressWarnings("try") // closed early too, when the longest time is over
    private static Answer read(HttpResponse<InputStream> head, Duration longest) {
        var bytes = new ByteArrayOutputStream();
        try (InputStream in = head.body()) {
            CompletableFuture.delayedExecutor(longest.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS, THREADS)
                    .execute(() -> {
                        try {
                            in.close();
                        } catch (IOException e) {
                            // it is closed in any case
                        }
                    });
            in.transferTo(bytes);
        } catch (IOException e) {
            bytes.writeBytes(("{\"broken\":\"" + e + "\"}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return new Answer(head.statusCode(), head.headers().map(), bytes.toByteArray());
    }

    private HttpRequest request(
            String method, String path, Map<String, String> headers, Optional<byte[]> body, Duration longest) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base.toString() + path))
                .timeout(longest)
                .method(
                        method,
                        body.map(HttpRequest.BodyPublishers::ofByteArray)
                                .orElseGet(HttpRequest.BodyPublishers::noBody));
        Map<String, String> all = new LinkedHashMap<>();
        all.put("User-Agent", "replay/1.0");
        all.put("Accept", "application/json");
        all.put("Authorization", "Bearer " + token);
        all.putAll(headers);
        all.forEach((name, value) -> {
            if (!value.isEmpty()) {
                request.setHeader(name, value.equals("Bearer admintoken") ? "Bearer " + token : value);
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private static SSLContext trustAnyone() {
        TrustManager anyone = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {anyone}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
