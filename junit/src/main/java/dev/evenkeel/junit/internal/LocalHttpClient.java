package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hands requests to the API of an engine in this process. */
final class LocalHttpClient
        extends StandardHttpClient<LocalHttpClient, LocalHttpClientFactory, LocalHttpClientBuilder> {
    private final RecordingApi api;
    private final RequestTap tap;

    LocalHttpClient(LocalHttpClientBuilder builder, AtomicBoolean closed, LocalHttpClientFactory factory) {
        super(builder, closed);
        api = factory.api();
        tap = factory.tap();
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        LocalResponse response = new LocalResponse(request, consumer, api.threads());
        api.answer(new LocalTransport(request(request), false, response, tap), response::fail);
        return response.begun();
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        StandardHttpRequest request = builder.asHttpRequest();
        LocalWebSocket socket = new LocalWebSocket(request, listener, api.threads());
        api.answer(new LocalTransport(request(request), true, socket, tap), socket::fail);
        return socket.opened();
    }

    private static LocalRequest request(StandardHttpRequest request) {
        URI uri = request.uri();
        Map<String, List<String>> headers = request.headers();
        if (request.getContentType() != null) {
            headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(request.headers());
            headers.put("Content-Type", List.of(request.getContentType()));
        }
        return new LocalRequest(
                request.method(),
                uri.getHost(),
                uri.getPort() < 0 ? 443 : uri.getPort(),
                uri.getRawPath().isEmpty() ? "/" : uri.getRawPath(),
                uri.getRawQuery() == null ? "" : uri.getRawQuery(),
                headers,
                Optional.ofNullable(request.body()).map(body -> () -> read(body)));
    }

    private static byte[] read(StandardHttpRequest.BodyContent body) {
        return switch (body) {
            case StandardHttpRequest.StringBodyContent text -> text.getContent().getBytes(StandardCharsets.UTF_8);
            case StandardHttpRequest.ByteArrayBodyContent bytes -> bytes.getContent();
            case StandardHttpRequest.InputStreamBodyContent stream -> {
                try {
                    yield stream.getContent().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            default -> throw new IllegalStateException("unknown body " + body);
        };
    }

    @Override
    protected void doClose() {
        // the engine is closed by those who opened it
    }
}
