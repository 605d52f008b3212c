package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a body with the messages of a WebSocket, a line each. They are requested as the body is read, so a slow reader
 * holds the server back instead of filling the memory.
 */
record SocketBody(ResponseBody body) implements WebSocket.Listener {
    private static final int GOING_AWAY = 1001;
    private static final ByteBuffer NEWLINE = ByteBuffer.wrap(new byte[] {'\n'}).asReadOnlyBuffer();

    @Override
    public void onOpen(WebSocket socket) {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                socket.request(count);
            }

            @Override
            public void cancel() {
                socket.abort();
            }
        });
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        return add(UTF_8.encode(CharBuffer.wrap(part)), last);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
        return add(ByteBuffer.allocate(part.remaining()).put(part).flip(), last);
    }

    private @Nullable CompletionStage<?> add(ByteBuffer part, boolean last) {
        body.onNext(last ? List.of(part, NEWLINE.duplicate()) : List.of(part));
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        if (code == WebSocket.NORMAL_CLOSURE || code == GOING_AWAY) {
            body.onComplete();
        } else {
            body.onError(new IOException("the socket was closed with " + code + " " + reason));
        }
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable cause) {
        body.onError(cause);
    }
}
