package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watch as messages of a WebSocket, for networks that buffer long responses. Messages are requested one at a time, so
 * a slow reader holds the server back instead of filling the memory.
 */
final class SocketWatch<T extends HasMetadata> implements Watch<T>, WebSocket.Listener {
    private static final int NORMAL = WebSocket.NORMAL_CLOSURE;
    private static final int GOING_AWAY = 1001;
    private static final int AHEAD = 16;

    private record Message(byte[] text, boolean end) {
        static final Message END = new Message(new byte[0], true);
    }

    private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final Kind<T> kind;
    private final int limit;
    private final Duration patience;
    private final Consumer<Watch<?>> onEnd;
    private final Function<IOException, KubernetesClient.ConnectionException> broken;
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile @Nullable WebSocket socket;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private volatile boolean over;

    SocketWatch(
            Kind<T> kind,
            int limit,
            Duration patience,
            Consumer<Watch<?>> onEnd,
            Function<IOException, KubernetesClient.ConnectionException> broken) {
        this.kind = kind;
        this.limit = limit;
        this.patience = patience;
        this.onEnd = onEnd;
        this.broken = broken;
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        if (closed) {
            opened.abort();
        } else {
            opened.request(AHEAD);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        if (text.length() + part.length() > limit) {
            return tooLong(from);
        }
        text.append(part);
        if (last) {
            messages.add(new Message(text.toString().getBytes(UTF_8), false));
            text.setLength(0);
        } else {
            from.request(1);
        }
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
        if (bytes.size() + part.remaining() > limit) {
            return tooLong(from);
        }
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
        if (last) {
            messages.add(new Message(bytes.toByteArray(), false));
            bytes.reset();
        } else {
            from.request(1);
        }
        return null;
    }

    private @Nullable CompletionStage<?> tooLong(WebSocket from) {
        end(new IOException("an event has more than " + limit + " bytes: raise maxObjectBytes"));
        from.abort();
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        end(
                code == NORMAL || code == GOING_AWAY
                        ? null
                        : new IOException("the socket was closed with " + code + " " + reason));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable cause) {
        end(cause instanceof IOException e ? e : new IOException(cause));
    }

    private void end(@Nullable IOException why) {
        failure = why;
        messages.add(Message.END);
    }

    @Override
    public boolean ready() {
        return over || closed || !messages.isEmpty();
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        if (over || closed) {
            return Optional.empty();
        }
        Message message = patience.isZero() ? messages.take() : messages.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (closed) {
            return Optional.empty();
        }
        if (message == null) {
            throw fail(new HttpTimeoutException("no data for " + patience.toMillis() + " ms"));
        }
        if (message.end) {
            IOException why = failure;
            if (why != null) {
                throw fail(why);
            }
            close();
            return Optional.empty();
        }
        WebSocket open = socket;
        if (open != null) {
            open.request(1);
        }
        try {
            return Optional.of(EventReader.read(kind, message.text, message.text.length));
        } catch (RuntimeException e) {
            over = true;
            close();
            throw e;
        }
    }

    private RuntimeException fail(IOException why) {
        over = true;
        close();
        return broken.apply(why);
    }

    @Override
    public void close() {
        closed = true;
        messages.add(Message.END);
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        onEnd.accept(this);
    }
}
