package dev.evenkeel.server.internal.jetty;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose TLS handshake, or the head of whose request, is not complete in time; of HTTP/2, those that send
 * bytes but no complete frame, such as a header block that never ends.
 *
 * <p>The idle timeout begins again with each byte, so that a client that sends a byte now and then would keep its
 * connection, and its buffers, for hours. All connections are looked at in an interval, which costs less than a timer for each request.
 */
public final class SlowHeads extends AbstractLifeCycle {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final ServerConnector connector;
    private final long limitMillis;
    private Map<EndPoint, Head> heads = Map.of();
    private volatile Scheduler.@Nullable Task next;

    /** @param limit how long a head may take; at most ten seconds */
    public SlowHeads(ServerConnector connector, Duration limit) {
        this.connector = connector;
        limitMillis = Math.min(limit.toMillis(), LONGEST.toMillis());
    }

    @Override
    protected void doStart() {
        schedule();
    }

    @Override
    protected void doStop() {
        Scheduler.Task task = next;
        if (task != null) {
            task.cancel();
        }
    }

    private void schedule() {
        next = connector.getScheduler().schedule(this::look, Math.max(limitMillis / 4, 10), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            Map<EndPoint, Head> present = new HashMap<>();
            for (EndPoint endPoint : connector.getConnectedEndPoints()) {
                if (isLate(endPoint, present)) {
                    endPoint.close(new TimeoutException("the head of a request did not arrive in time"));
                }
            }
            heads = present;
        } finally {
            if (isRunning()) {
                schedule();
            }
        }
    }

    private boolean isLate(EndPoint endPoint, Map<EndPoint, Head> present) {
        Connection connection = endPoint.getConnection();
        if (connection instanceof SslConnection tls) {
            connection = tls.getSslEndPoint().getConnection();
        }
        if (connection instanceof NegotiatingServerConnection) { // the handshake has not completed
            return System.currentTimeMillis() - endPoint.getCreatedTimeStamp() > limitMillis;
        }
        if (connection instanceof HTTP2Connection http2) {
            Head known = heads.get(endPoint);
            if (known == null) {
                // frames that came before are not counted, so what came before is complete: a watch may send no more
                Frames counted = Frames.of(http2.getSession());
                present.put(endPoint, new Head(counted, 0, http2.getBytesIn(), System.nanoTime()));
                return false;
            }
            return isLate(endPoint, known, present, known.frames, known.frames.count.get(), http2.getBytesIn());
        }
        if (!(connection instanceof ConnectionMetaData) || connection.getMessagesIn() != connection.getMessagesOut()) {
            return false;
        }
        Head known = heads.get(endPoint);
        return isLate(endPoint, known, present, Frames.NONE, connection.getMessagesIn(), connection.getBytesIn());
    }

    private boolean isLate(
            EndPoint endPoint,
            @Nullable Head known,
            Map<EndPoint, Head> present,
            Frames frames,
            long messages,
            long bytes) {
        Head head = known != null && known.messages == messages
                ? known
                : new Head(frames, messages, messages == 0 ? 0 : bytes, System.nanoTime());
        boolean begun = bytes > head.bytes;
        present.put(endPoint, begun ? head : new Head(frames, messages, head.bytes, System.nanoTime()));
        return begun && NanoTime.millisSince(head.since) > limitMillis;
    }

    /**
     * A connection between two requests, or between two frames of HTTP/2.
     *
     * @param messages how many requests or frames it has carried
     * @param bytes how many it had received when the last one was complete
     * @param since the time when there were no more bytes
     */
    private record Head(Frames frames, long messages, long bytes, long since) {}

    /** Counts the complete frames of a connection from now on; parts of a body are complete when they arrive. */
    private record Frames(AtomicLong count) implements HTTP2Session.FrameListener {
        private static final Frames NONE = new Frames(new AtomicLong());

        static Frames of(HTTP2Session session) {
            Frames frames = new Frames(new AtomicLong());
            session.addEventListener(frames);
            return frames;
        }

        @Override
        public void onIncomingFrame(Session session, Frame frame) {
            count.incrementAndGet();
        }
    }
}
