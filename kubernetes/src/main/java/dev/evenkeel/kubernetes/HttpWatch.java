package dev.evenkeel.kubernetes;

import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watch as lines of an HTTP response, or as the messages of a WebSocket.
 *
 * <p>Lines are found among bytes and only whole ones are decoded, so that a character split by the network is decoded
 * whole.
 */
final class HttpWatch<T extends HasMetadata> implements Watch<T> {
    private static final int WINDOW = 16 * 1024;
    private static final int NONE = -1;

    private final Kind<T> kind;
    private final ResponseBody body;
    private final int limit;
    private final Consumer<Watch<?>> onEnd;
    private final Function<IOException, ConnectionException> broken;
    private byte[] window = new byte[WINDOW];
    private int at;
    private int end;
    private int searched;
    private boolean over;
    private @Nullable IOException failure;

    HttpWatch(
            Kind<T> kind,
            ResponseBody body,
            int limit,
            Consumer<Watch<?>> onEnd,
            Function<IOException, ConnectionException> broken) {
        this.kind = kind;
        this.body = body;
        this.limit = limit;
        this.onEnd = onEnd;
        this.broken = broken;
    }

    @Override
    public boolean ready() {
        while (true) {
            if (over || failure != null || body.closed() || line() != NONE) {
                return true;
            }
            if (!body.ready()) {
                return false;
            }
            try {
                fill();
            } catch (IOException e) {
                failure = e; // told by next
            }
        }
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        while (!over && !body.closed()) {
            int newline = line();
            if (newline != NONE) {
                int from = at;
                at = newline + 1;
                searched = at;
                if (!blank(from, newline)) {
                    return Optional.of(event(from, newline));
                }
                continue;
            }
            try {
                IOException earlier = failure;
                if (earlier != null) {
                    throw earlier;
                }
                fill();
            } catch (InterruptedIOException e) {
                if (e.getCause() instanceof InterruptedException && Thread.interrupted()) {
                    throw new InterruptedException("interrupted while a watch of " + kind.id() + " waited");
                }
                throw fail(e);
            } catch (IOException e) {
                if (!body.closed()) {
                    throw fail(e);
                }
            }
        }
        finish();
        return Optional.empty();
    }

    private Event<T> event(int from, int to) {
        try {
            byte[] text = from == 0 ? window : Arrays.copyOfRange(window, from, to);
            return EventReader.read(kind, text, to - from);
        } catch (RuntimeException e) {
            finish();
            throw e;
        }
    }

    private RuntimeException fail(IOException e) {
        finish();
        return broken.apply(e);
    }

    private void finish() {
        over = true;
        close();
    }

    private boolean blank(int from, int to) {
        for (int i = from; i < to; i++) {
            if (window[i] > ' ' || window[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the end of the first whole line. */
    private int line() {
        while (searched < end && window[searched] != '\n') {
            searched++;
        }
        return searched < end ? searched : NONE;
    }

    private void fill() throws IOException {
        if (at > 0) {
            System.arraycopy(window, at, window, 0, end - at);
            end -= at;
            searched -= at;
            at = 0;
        }
        if (end == window.length) {
            if (end >= limit) {
                throw new IOException("an event has more than " + limit + " bytes: raise maxObjectBytes");
            }
            window = Arrays.copyOf(window, (int) Math.min(limit, 2L * window.length));
        }
        int n = body.read(window, end, window.length - end);
        if (n >= 0) {
            end += n;
        } else if (end == 0 || blank(0, end)) {
            over = true;
        } else {
            throw new EOFException("the connection ended in the middle of an event");
        }
    }

    @Override
    public void close() {
        body.close();
        onEnd.accept(this);
    }
}
