package dev.evenkeel.grpc.internal.call;

import com.google.rpc.Code;
import dev.evenkeel.grpc.GrpcServer;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Admits calls: bounds how many are handled at once, gives each unary call a deadline, and records its credentials.
 *
 * <p>A call with one request and one response ends at the deadline of its client, or at the default one, and in any case at
 * the longest one. Streams have the deadline of their client only.
 */
public final class CallGuard implements ServerInterceptor {
    private final GrpcServer.Limits limits;
    private final ScheduledExecutorService timer;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean stopping;

    public CallGuard(GrpcServer.Limits limits, ScheduledExecutorService timer) {
        this.limits = limits;
        this.timer = timer;
    }

    /** Refuses calls from now on. */
    public void refuse() {
        stopping = true;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (stopping) {
            return refuse(call, Errors.of(Code.UNAVAILABLE, "STOPPING", "the server is stopping"));
        }
        Context context = Context.current().withValue(CallInfo.KEY, CallInfo.of(headers, call.getAttributes()));
        if (call.getMethodDescriptor().getType() != MethodType.UNARY) {
            return Contexts.interceptCall(context, call, headers, next);
        }
        if (inFlight.incrementAndGet() > limits.maxInFlight()) {
            inFlight.decrementAndGet();
            return refuse(
                    call,
                    Errors.of(
                            Code.RESOURCE_EXHAUSTED,
                            "TOO_MANY_CALLS",
                            "the server handles " + limits.maxInFlight() + " calls at once; try again later"));
        }
        return limited(call, headers, next, context);
    }

    private <Q, A> ServerCall.Listener<Q> limited(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next, Context context) {
        Deadline given = context.getDeadline();
        long most = limits.maxDeadline().toNanos();
        long nanos = given == null
                ? limits.defaultDeadline().toNanos()
                : Math.min(given.timeRemaining(TimeUnit.NANOSECONDS), most);
        Context.CancellableContext limited =
                context.withDeadline(Deadline.after(Math.min(nanos, most), TimeUnit.NANOSECONDS), timer);
        OnceCall<Q, A> once = new OnceCall<>(call, () -> {
            inFlight.decrementAndGet();
            limited.cancel(null);
        });
        limited.addListener(
                ended -> {
                    if (ended.cancellationCause() instanceof TimeoutException) {
                        once.close(
                                Status.DEADLINE_EXCEEDED.withDescription(
                                        "the call took longer than its deadline; its effect may have taken place"),
                                new Metadata());
                    }
                },
                Runnable::run);
        ServerCall.Listener<Q> listener = Contexts.interceptCall(limited, once, headers, next);
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onCancel() {
                once.cancelled();
                super.onCancel();
            }
        };
    }

    private static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, CallException refusal) {
        var error = StatusProto.toStatusRuntimeException(refusal.rpc());
        Metadata trailers = error.getTrailers();
        call.close(error.getStatus(), trailers == null ? new Metadata() : trailers);
        return new ServerCall.Listener<>() {};
    }
}
