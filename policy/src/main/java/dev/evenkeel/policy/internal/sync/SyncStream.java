package dev.evenkeel.policy.internal.sync;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.policy.v1.PolicySyncServiceGrpc;
import dev.evenkeel.policy.v1.SyncRequest;
import dev.evenkeel.policy.v1.SyncResponse;
import dev.evenkeel.policy.v1.Update;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the updates of a host, in a thread of its own.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>{@code delivered} is what the batches that were handed over add up to.
 *   <li>Of a new connection, nothing is handed over until the state is complete; then it is the difference to {@code
 *       delivered}. Later batches are handed over as they are.
 *   <li>A batch is read from the connection when the one before was taken, so a slow consumer makes the server wait, which
 *       then sends fewer messages.
 * </ol>
 */
public final class SyncStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyncStream.class);
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final ManagedChannel channel;
    private final PolicySyncServiceGrpc.PolicySyncServiceBlockingStub stub;
    private final Backoff backoff;
    private final String host;
    private final SynchronousQueue<List<Update>> batches = new SynchronousQueue<>();
    private final Context.CancellableContext context = Context.ROOT.withCancellation();
    private final Thread thread;
    private HostContents delivered = new HostContents();
    private int failures;
    private volatile @Nullable String failure = "not connected yet";
    private volatile boolean closed;

    /** Creates a stream, and starts to receive. */
    public SyncStream(ManagedChannel channel, String token, Backoff backoff, String host) {
        Metadata headers = new Metadata();
        if (!token.isEmpty()) {
            headers.put(AUTHORIZATION, "Bearer " + token);
        }
        this.channel = channel;
        this.stub = PolicySyncServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        this.backoff = backoff;
        this.host = host;
        this.thread = Thread.ofVirtual().name("policy of " + host).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                Context.CancellableContext attempt = context.withCancellation();
                try {
                    attempt.call(() -> {
                        receive();
                        return null;
                    });
                    failed("the server has ended the stream");
                } catch (StatusRuntimeException e) {
                    failed(e.getStatus().getCode()
                            + (e.getStatus().getDescription() == null
                                    ? ""
                                    : ": " + e.getStatus().getDescription()));
                } catch (IllegalArgumentException e) {
                    failed("the server sent " + e.getMessage());
                } finally {
                    attempt.cancel(null);
                }
                if (!closed) {
                    failures++;
                    // the delay is this one, not that of the connection, which grows to minutes
                    channel.resetConnectBackoff();
                    Thread.sleep(backoff.delay(failures, ThreadLocalRandom.current()));
                }
            }
        } catch (InterruptedException e) {
            // closed
        } catch (Exception e) {
            LOG.atError().addKeyValue("host", host).setCause(e).log("the stream of policy has ended");
            failure = e.toString();
        }
    }

    private void failed(String reason) {
        boolean known = reason.equals(failure);
        failure = reason;
        if (!closed && !known) {
            LOG.atWarn()
                    .addKeyValue("host", host)
                    .addKeyValue("reason", reason)
                    .log("the stream of policy is interrupted; connecting again");
        }
    }

    private void receive() throws InterruptedException {
        HostContents received = new HostContents();
        boolean complete = false;
        Iterator<SyncResponse> responses =
                stub.sync(SyncRequest.newBuilder().setHost(host).build());
        while (responses.hasNext()) {
            List<Update> updates = responses.next().getUpdatesList();
            failure = null;
            failures = 0;
            updates.forEach(received::apply);
            if (complete) {
                batches.put(updates);
            } else if (received.isInSync()) {
                complete = true;
                List<Update> difference = received.since(delivered);
                if (!difference.isEmpty()) {
                    batches.put(difference);
                }
                delivered = received;
            }
        }
    }

    /** Returns the next batch, an empty one if there is none in this time. */
    public List<Update> poll(Duration timeout) throws InterruptedException {
        List<Update> batch = batches.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return batch == null ? List.of() : batch;
    }

    /** Returns the reason why there is no connection; empty while there is one. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Ends the stream. */
    @Override
    public void close() {
        closed = true;
        context.cancel(null);
        thread.interrupt();
    }
}
