package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.watch.EventEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/** Sends events as lines or frames of an endless response body: chunked in HTTP/1.1, data frames in HTTP/2. */
final class HttpEventSink implements EventSink {
    private final JettyTransport transport;
    private final Response response;
    private final Callback callback;
    private final EndPoint endPoint;
    private final boolean http1;
    private volatile boolean gone;

    /** Sends the response headers at once: clients wait for them before they trust the watch. */
    HttpEventSink(JettyTransport transport, Request request, Response response, Callback callback) throws IOException {
        this.transport = transport;
        this.response = response;
        this.callback = callback;
        endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        http1 = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
        // an idle watch is not a stalled request; the pump detects a stalled write
        request.addIdleTimeoutListener(timeout -> false);
        request.addFailureListener(failure -> gone = true);
        transport.write(false, BufferUtil.EMPTY_BUFFER);
    }

    @Override
    public void send(List<byte[]> events) throws IOException {
        byte[] bytes = events.size() == 1 ? events.getFirst() : EventEncoder.join(events);
        transport.write(false, ByteBuffer.wrap(bytes));
    }

    @Override
    public void end() {
        response.write(true, BufferUtil.EMPTY_BUFFER, callback);
    }

    @Override
    public void abort(Throwable why) {
        gone = true;
        callback.failed(why);
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
