package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hands requests to the API of an engine in this process, each on a virtual thread of its own. */
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
        api.execute(new LocalTransport(request, false, response, tap), response::fail);
        return response.begun();
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        StandardHttpRequest request = builder.asHttpRequest();
        LocalWebSocket socket = new LocalWebSocket(request, listener, api.threads());
        api.execute(new LocalTransport(request, true, socket, tap), socket::fail);
        return socket.opened();
    }

    @Override
    protected void doClose() {
        // the engine is closed by those who opened it
    }
}
