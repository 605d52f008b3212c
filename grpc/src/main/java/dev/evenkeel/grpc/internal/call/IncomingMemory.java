package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.MemoryBudget;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of messages that have not arrived completely, of all calls and of one sender.
 *
 * <p><b>Problem.</b> A message is limited in size, and a connection in calls, but a client can open many connections, and send
 * on each all but the last byte of a message. What has arrived is outside of the heap, in buffers of the network.
 *
 * <p>Interceptors see complete messages only, so the tracer of a call counts the bytes: from their arrival until their message
 * is complete, when {@link MessageMemory} counts it, or the call ends. An exception of a tracer resets the stream, as that of a
 * message which is too large. A status alone would not: the client would keep the rest of its message, for which the server
 * never makes room again, and the stream.
 */
public final class IncomingMemory extends ServerStreamTracer.Factory {
    private static final int PART = 16;

    private final Access access;
    private final MemoryBudget budget;

    /** Creates a budget of a part of the memory of this process. */
    public IncomingMemory(Access access, int maxMessageBytes) {
        this.access = access;
        budget = MemoryBudget.ofHeap(PART, maxMessageBytes);
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Arrival(headers);
    }

    /** The message of a call that is arriving. */
    private final class Arrival extends ServerStreamTracer {
        private final Metadata headers;
        private volatile @Nullable Reservation reservation;

        Arrival(Metadata headers) {
            this.headers = headers;
        }

        @Override
        public void serverCallStarted(ServerCallInfo<?, ?> call) {
            reservation = new Reservation(budget, access.sender(CallInfo.of(headers, call.getAttributes())));
        }

        @Override
        public void inboundWireSize(long bytes) {
            Reservation taken = reservation;
            if (taken != null && !taken.take(bytes)) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription(MessageMemory.EXHAUSTED)
                        .asRuntimeException();
            }
        }

        @Override
        public void inboundMessageRead(int number, long wireSize, long size) {
            giveBack();
        }

        @Override
        public void streamClosed(Status status) {
            giveBack();
            reservation = null;
        }

        private void giveBack() {
            Reservation taken = reservation;
            if (taken != null) {
                taken.giveBack();
            }
        }
    }
}
