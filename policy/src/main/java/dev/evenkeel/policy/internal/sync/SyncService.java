package dev.evenkeel.policy.internal.sync;

import dev.evenkeel.graph.Batch;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.v1.PolicySyncServiceGrpc;
import dev.evenkeel.policy.v1.SyncRequest;
import dev.evenkeel.policy.v1.SyncResponse;
import dev.evenkeel.policy.v1.Update;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends the updates of hosts. Each call has a thread, which waits for changes, and takes them from the calculation only when
 * the client can receive: so a slow client receives fewer messages, not older ones.
 */
public final class SyncService extends PolicySyncServiceGrpc.PolicySyncServiceImplBase {
    private final PolicyCalculation calculation;
    private final Duration checkInterval;
    private final Duration writeTimeout;
    private final Set<Thread> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /**
     * Creates the service.
     *
     * @param checkInterval how often credentials are checked again
     * @param writeTimeout how long a client may fail to receive
     */
    public SyncService(PolicyCalculation calculation, Duration checkInterval, Duration writeTimeout) {
        this.calculation = calculation;
        this.checkInterval = checkInterval;
        this.writeTimeout = writeTimeout;
    }

    /** Ends all streams: clients connect again. */
    public void stop() {
        stopping = true;
        streams.forEach(Thread::interrupt);
    }

    /** Returns the number of open streams. */
    public int streams() {
        return streams.size();
    }

    @Override
    public void sync(SyncRequest request, StreamObserver<SyncResponse> observer) {
        ServerCallStreamObserver<SyncResponse> client = (ServerCallStreamObserver<SyncResponse>) observer;
        Caller caller = Caller.current();
        String host = request.getHost();
        Cursor<Update> cursor;
        try {
            cursor = open(host, caller);
        } catch (StatusRuntimeException e) {
            client.onError(e);
            return;
        }
        Semaphore ready = new Semaphore(0);
        client.setOnReadyHandler(ready::release);
        Thread thread = Thread.ofVirtual().name("policy sync " + host).unstarted(() -> {
            try (cursor) {
                send(client, ready, cursor, () -> caller.checkMayRead(host));
                client.onCompleted();
            } catch (InterruptedException e) {
                client.onError(Status.UNAVAILABLE
                        .withDescription(stopping ? "the server is stopping" : "the client has gone")
                        .asRuntimeException());
            } catch (StatusRuntimeException e) {
                client.onError(e);
            } finally {
                streams.remove(Thread.currentThread());
            }
        });
        client.setOnCancelHandler(thread::interrupt);
        streams.add(thread);
        thread.start();
        if (stopping) {
            thread.interrupt();
        }
    }

    private Cursor<Update> open(String host, Caller caller) {
        if (host.isEmpty()) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("host: must be the name of a node")
                    .asRuntimeException();
        }
        caller.checkMayRead(host);
        try {
            return calculation.open(host);
        } catch (IllegalArgumentException e) {
            throw Status.NOT_FOUND.withDescription(e.getMessage()).asRuntimeException();
        }
    }

    private void send(
            ServerCallStreamObserver<SyncResponse> client, Semaphore ready, Cursor<Update> cursor, Runnable check)
            throws InterruptedException {
        long checked = System.nanoTime();
        while (!client.isCancelled()) {
            long deadline = System.nanoTime() + writeTimeout.toNanos();
            while (!client.isReady()) {
                if (!ready.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw Status.RESOURCE_EXHAUSTED
                            .withDescription("the client received nothing for " + writeTimeout.toSeconds()
                                    + " seconds: call again")
                            .asRuntimeException();
                }
            }
            Batch<Update> batch = cursor.poll(checkInterval);
            if (System.nanoTime() - checked >= checkInterval.toNanos()) {
                check.run();
                checked = System.nanoTime();
            }
            if (!batch.messages().isEmpty()) {
                client.onNext(SyncResponse.newBuilder()
                        .addAllUpdates(batch.messages())
                        .build());
            }
        }
    }
}
