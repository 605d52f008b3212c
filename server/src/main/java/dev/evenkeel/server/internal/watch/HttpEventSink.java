package dev.evenkeel.server.internal.watch;

import dev.evenkeel.server.internal.http.HttpExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/** Sends events as lines or frames of an endless response body: chunked in HTTP/1.1, data frames in HTTP/2. */
final class HttpEventSink implements EventSink {
    private final HttpExchange call;
    private final EndPoint endPoint;
    private final boolean http1;
    private volatile boolean gone;

    /** Sends the response headers at once: clients wait for them before they trust the watch. */
    HttpEventSink(HttpExchange call, String contentType) throws IOException {
        this.call = call;
        endPoint = call.request().getConnectionMetaData().getConnection().getEndPoint();
        http1 = call.request().getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
        // an idle watch is not a stalled request; the pump detects a stalled write
        call.request().addIdleTimeoutListener(timeout -> false);
        call.request().addFailureListener(failure -> gone = true);
        call.response().setStatus(200);
        call.contentType(contentType);
        call.write(false, BufferUtil.EMPTY_BUFFER);
    }

    @Override
    public void send(List<byte[]> events) throws IOException {
        byte[] bytes = events.size() == 1 ? events.getFirst() : EventEncoder.join(events);
        call.write(false, ByteBuffer.wrap(bytes));
    }

    @Override
    public void end() {
        call.response().write(true, BufferUtil.EMPTY_BUFFER, call.callback());
    }

    @Override
    public void abort(Throwable why) {
        gone = true;
        call.callback().failed(why);
        if (http1) {
            endPoint.close(why);
        }
    }

    /**
     * Looks for the end of an HTTP/1.1 connection, which is not read while its answer is being written, so that its end
     * would be detected only at the next event. A client that sends more than its request violates the protocol and is
     * disconnected.
     */
    @Override
    public boolean alive() {
        if (gone || !endPoint.isOpen()) {
            return false;
        }
        if (!http1) {
            return true;
        }
        try {
            return endPoint.fill(BufferUtil.allocate(64)) == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
