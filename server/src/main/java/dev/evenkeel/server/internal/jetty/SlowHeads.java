package dev.evenkeel.server.internal.jetty;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpVersion;
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
 * Closes connections whose TLS handshake, or the head of whose request, is not complete in time.
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
        if (!(connection instanceof ConnectionMetaData data)
                || data.getHttpVersion() == HttpVersion.HTTP_2
                || connection.getMessagesIn() != connection.getMessagesOut()) {
            return false;
        }
        Head known = heads.get(endPoint);
        Head head = known != null && known.requests == connection.getMessagesIn()
                ? known
                : new Head(
                        connection.getMessagesIn(),
                        connection.getMessagesIn() == 0 ? 0 : connection.getBytesIn(),
                        System.nanoTime());
        boolean begun = connection.getBytesIn() > head.bytes;
        present.put(endPoint, begun ? head : new Head(head.requests, head.bytes, System.nanoTime()));
        return begun && NanoTime.millisSince(head.since) > limitMillis;
    }

    /**
     * A connection between two requests.
     *
     * @param requests how many it has carried
     * @param bytes how many it had received when the last one had been answered
     * @param since the time when there were no more bytes
     */
    private record Head(long requests, long bytes, long since) {}
}
