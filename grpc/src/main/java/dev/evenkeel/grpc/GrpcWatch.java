package dev.evenkeel.grpc;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.Watch;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The events of a watch, received ahead of its reader up to a number; the server keeps the rest until the reader continues.
 */
final class GrpcWatch<T extends HasMetadata> extends ClientCall.Listener<ObjectEvent> implements Watch<T> {
    private static final int AHEAD = 64;

    /** An event, or the end of the watch. */
    private sealed interface Received {}

    private record Change(ObjectEvent event) implements Received {}

    private record End(Status status, Metadata trailers) implements Received {}

    private static final End CLOSED = new End(Status.OK, new Metadata());

    private final Kind<T> kind;
    private final ClientCall<WatchObjectsRequest, ObjectEvent> call;
    private final Consumer<GrpcWatch<T>> onEnd;
    private final Function<StatusRuntimeException, RuntimeException> errors;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    GrpcWatch(
            Kind<T> kind,
            ClientCall<WatchObjectsRequest, ObjectEvent> call,
            Consumer<GrpcWatch<T>> onEnd,
            Function<StatusRuntimeException, RuntimeException> errors) {
        this.kind = kind;
        this.call = call;
        this.onEnd = onEnd;
        this.errors = errors;
    }

    /**
     * Starts the call, and waits until the server has accepted it.
     *
     * @throws StatusRuntimeException when it did not
     */
    void open(Metadata headers, WatchObjectsRequest request, Duration timeout) {
        call.start(this, headers);
        call.request(AHEAD);
        call.sendMessage(request);
        call.halfClose();
        @Nullable Received first;
        try {
            first = received.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted while a watch of " + kind.id() + " was opened", e);
        }
        if (first instanceof Change) {
            call.request(1);
            return;
        }
        close();
        if (first instanceof End(Status status, Metadata trailers) && !status.isOk()) {
            throw status.asRuntimeException(trailers);
        }
        Status why = first == null
                ? Status.DEADLINE_EXCEEDED.withDescription("no answer in " + timeout.toMillis() + " ms")
                : Status.UNAVAILABLE.withDescription("the watch ended before it began");
        throw why.asRuntimeException();
    }

    @Override
    public void onMessage(ObjectEvent event) {
        received.add(new Change(event));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        received.add(new End(status, trailers));
    }

    @Override
    public boolean ready() {
        return closed || !received.isEmpty();
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        if (closed) {
            return Optional.empty();
        }
        return switch (received.take()) {
            case Change(ObjectEvent event) -> {
                if (closed) {
                    yield Optional.empty();
                }
                call.request(1);
                yield Optional.of(event(event));
            }
            case End(Status status, Metadata trailers) -> {
                boolean failed = !closed && !status.isOk();
                close();
                if (failed) {
                    throw errors.apply(status.asRuntimeException(trailers));
                }
                yield Optional.empty();
            }
        };
    }

    private Event<T> event(ObjectEvent event) {
        Type type = switch (event.getType()) {
            case TYPE_ADDED -> Type.ADDED;
            case TYPE_MODIFIED -> Type.MODIFIED;
            case TYPE_DELETED -> Type.DELETED;
            case TYPE_BOOKMARK -> Type.BOOKMARK;
            case TYPE_OPENED, TYPE_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalStateException("an event of unknown type: " + event.getTypeValue());
        };
        try {
            return new Event<>(type, GrpcClient.decode(kind, event.getObject()), event.getResourceVersion());
        } catch (IllegalArgumentException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            call.cancel("the watch was closed", null);
            received.add(CLOSED);
            onEnd.accept(this);
        }
    }
}
