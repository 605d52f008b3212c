package dev.evenkeel.grpc;

import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A watch whose events are taken one by one. */
final class Watcher implements AutoCloseable {
    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private volatile @Nullable ClientCallStreamObserver<WatchListRequest> call;

    /** @param requested how many events the client takes; the rest stays with the server */
    Watcher(Channel channel, WatchListRequest request, int requested) {
        ResourceServiceGrpc.newStub(channel)
                .watchList(request, new ClientResponseObserver<WatchListRequest, WatchEvent>() {
                    @Override
                    public void beforeStart(ClientCallStreamObserver<WatchListRequest> stream) {
                        call = stream;
                        stream.disableAutoRequestWithInitial(requested);
                    }

                    @Override
                    public void onNext(WatchEvent event) {
                        received.add(event);
                    }

                    @Override
                    public void onError(Throwable problem) {
                        received.add(problem);
                    }

                    @Override
                    public void onCompleted() {
                        received.add(Status.OK);
                    }
                });
    }

    /** Takes more events. */
    void request(int count) {
        Objects.requireNonNull(call).request(count);
    }

    private Object next() {
        try {
            return Objects.requireNonNull(received.poll(120, TimeUnit.SECONDS), "nothing for 2 minutes");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for the next event. */
    WatchEvent event() {
        Object next = next();
        if (next instanceof WatchEvent event) {
            return event;
        }
        throw new AssertionError("the watch ended: " + next);
    }

    /** Waits for the end of the snapshot, and returns what comes before. */
    List<WatchEvent> snapshot() {
        List<WatchEvent> events = new ArrayList<>();
        for (WatchEvent event = event(); !event.hasEndOfSnapshot(); event = event()) {
            events.add(event);
        }
        return events;
    }

    /** Waits for some events; throws the error when the watch ends before. */
    List<WatchEvent> take(int count) throws Throwable {
        List<WatchEvent> events = new ArrayList<>();
        while (events.size() < count) {
            Object next = next();
            if (next instanceof WatchEvent event) {
                events.add(event);
            } else if (next instanceof Throwable problem) {
                throw problem;
            }
        }
        return events;
    }

    /** Waits for the end of the watch, and returns what comes before it; throws the error of the end. */
    List<WatchEvent> end() throws Throwable {
        List<WatchEvent> events = new ArrayList<>();
        while (true) {
            Object next = next();
            if (next instanceof WatchEvent event) {
                events.add(event);
            } else if (next instanceof Throwable problem) {
                throw problem;
            } else {
                return events;
            }
        }
    }

    @Override
    public void close() {
        Objects.requireNonNull(call).cancel("the test is over", null);
    }
}
