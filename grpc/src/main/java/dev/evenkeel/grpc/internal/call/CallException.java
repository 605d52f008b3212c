package dev.evenkeel.grpc.internal.call;

import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.evenkeel.client.ApiException;

/**
 * Thrown when the service itself refuses a call. An {@link ApiException}, so that the engine treats it as any other
 * refusal: on a shared store it may repeat the write on a later state.
 */
public final class CallException extends ApiException {
    private final transient Status rpc;

    CallException(Status rpc) {
        super(dev.evenkeel.client.Status.of(400, Code.forNumber(rpc.getCode()).name(), rpc.getMessage()));
        this.rpc = ErrorSize.bounded(rpc);
    }

    /** Returns the status that the client receives. */
    public Status rpc() {
        return rpc;
    }
}
