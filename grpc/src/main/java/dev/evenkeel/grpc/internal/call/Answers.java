package dev.evenkeel.grpc.internal.call;

import com.google.rpc.Code;
import dev.evenkeel.client.ApiException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers calls: with a response, or with the error that the exception of a handler stands for. */
public final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    /** Answers a call with one response. */
    public static <A> void unary(StreamObserver<A> client, Supplier<A> handler) {
        A answer;
        try {
            answer = handler.get();
        } catch (RuntimeException | Error e) {
            fail(client, e);
            return;
        }
        try {
            client.onNext(answer);
            client.onCompleted();
        } catch (StatusRuntimeException e) {
            LOG.debug("the client does not wait for the answer any more", e);
        }
    }

    /** Ends a call with the error for an exception. */
    public static void fail(StreamObserver<?> client, Throwable failure) {
        try {
            client.onError(StatusProto.toStatusRuntimeException(status(failure)));
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.debug("the client does not wait for the answer any more", e);
        }
    }

    /** Returns the error for an exception; a defect of the server is logged under an id that the error names. */
    public static com.google.rpc.Status status(Throwable failure) {
        return switch (failure) {
            case ApiException refusal ->
                Errors.of(refusal, UnaryOperator.identity()).rpc();
            case StatusRuntimeException refusal
            when refusal.getStatus().getCode() != Status.Code.UNKNOWN -> StatusProto.fromThrowable(refusal);
            default -> {
                String id = UUID.randomUUID().toString();
                LOG.error("call failed, id {}", id, failure);
                yield Errors.of(Code.INTERNAL, "INTERNAL", "internal error, id " + id + " in the log of the server")
                        .rpc();
            }
        };
    }
}
