package dev.evenkeel.grpc.internal.call;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A call that can be closed by several threads: by its service, by a timer, and when a budget is exhausted. The first status
 * counts; what is sent after it is dropped.
 */
final class OnceCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final Runnable onEnd;
    private boolean closed;

    /** @param onEnd called once, when the call is closed or cancelled */
    OnceCall(ServerCall<Q, A> call, Runnable onEnd) {
        super(call);
        this.onEnd = onEnd;
    }

    @Override
    public synchronized void sendHeaders(Metadata head) {
        if (!closed) {
            super.sendHeaders(head);
        }
    }

    @Override
    public synchronized void sendMessage(A message) {
        if (!closed) {
            super.sendMessage(message);
        }
    }

    @Override
    public void close(Status status, Metadata trailers) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            super.close(status, trailers);
        }
        onEnd.run();
    }

    /** Notes that the client has cancelled the call. */
    void cancelled() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        onEnd.run();
    }
}
