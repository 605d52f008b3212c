package dev.evenkeel.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.Status;
import dev.evenkeel.grpc.internal.call.Errors;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the errors of calls into exceptions: those of the API, from their details, and those of the network. */
final class GrpcErrors {
    private GrpcErrors() {}

    /**
     * Returns the exception for an error.
     *
     * @param what the call, for messages
     */
    static RuntimeException of(String what, StatusRuntimeException error) {
        com.google.rpc.Status rpc = StatusProto.fromThrowable(error);
        Optional<ErrorInfo> info = rpc == null
                ? Optional.empty()
                : detail(rpc, ErrorInfo.class).filter(known -> known.getDomain().equals(Errors.DOMAIN));
        if (info.isPresent() && rpc != null) {
            return info.get().containsMetadata(Errors.CODE) ? refusal(rpc, info.get()) : ofService(error.getStatus());
        }
        return ofTransport(what, error);
    }

    /** Returns the refusal that an error describes completely. */
    private static ApiException refusal(com.google.rpc.Status rpc, ErrorInfo info) {
        Map<String, String> facts = info.getMetadataMap();
        Optional<Status.Details> details = facts.containsKey(Errors.KIND)
                ? Optional.of(new Status.Details(
                        text(facts, Errors.NAME),
                        text(facts, Errors.GROUP),
                        text(facts, Errors.KIND),
                        text(facts, Errors.UID),
                        detail(rpc, BadRequest.class).map(GrpcErrors::causes).orElse(List.of()),
                        detail(rpc, RetryInfo.class)
                                .map(retry -> (int) retry.getRetryDelay().getSeconds())
                                .orElse(0)))
                : Optional.empty();
        return ApiException.of(new Status(
                Integer.parseInt(text(facts, Errors.CODE)),
                info.getReason(),
                rpc.getMessage(),
                details,
                text(facts, Errors.CONTINUE)));
    }

    private static String text(Map<String, String> facts, String key) {
        return facts.getOrDefault(key, "");
    }

    private static List<Status.Cause> causes(BadRequest request) {
        return request.getFieldViolationsList().stream()
                .map(cause -> new Status.Cause(cause.getReason(), cause.getDescription(), cause.getField()))
                .toList();
    }

    private static <T extends Message> Optional<T> detail(com.google.rpc.Status rpc, Class<T> type) {
        for (Any detail : rpc.getDetailsList()) {
            if (detail.is(type)) {
                try {
                    return Optional.of(detail.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty(); // the code and the message say enough
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the exception for an error of the service around the API, such as a limit. */
    private static ApiException ofService(io.grpc.Status error) {
        return switch (error.getCode()) {
            case INVALID_ARGUMENT -> refusal(400, "BadRequest", error);
            case UNAUTHENTICATED -> refusal(401, "Unauthorized", error);
            case PERMISSION_DENIED -> refusal(403, "Forbidden", error);
            case RESOURCE_EXHAUSTED -> refusal(429, "TooManyRequests", error);
            case UNAVAILABLE -> refusal(503, "ServiceUnavailable", error);
            default -> refusal(500, "InternalError", error);
        };
    }

    /** Returns the exception for an error of gRPC itself, on either side. */
    private static RuntimeException ofTransport(String what, StatusRuntimeException error) {
        io.grpc.Status status = error.getStatus();
        return switch (status.getCode()) {
            case CANCELLED -> {
                if (status.getCause() instanceof InterruptedException interrupted) {
                    yield new RequestInterruptedException("interrupted during " + what, interrupted);
                }
                yield broken(what, error);
            }
            case RESOURCE_EXHAUSTED -> refusal(413, "RequestEntityTooLarge", status);
            case UNIMPLEMENTED -> refusal(501, "", status);
            case UNAUTHENTICATED -> refusal(401, "Unauthorized", status);
            case PERMISSION_DENIED -> refusal(403, "Forbidden", status);
            default -> broken(what, error);
        };
    }

    private static ApiException refusal(int code, String reason, io.grpc.Status error) {
        return ApiException.of(Status.of(code, reason, message(error)));
    }

    private static ConnectionException broken(String what, StatusRuntimeException error) {
        String text = message(error.getStatus());
        Throwable cause = error.getStatus().getCause();
        IOException why = cause instanceof IOException io ? io : new IOException(text, error);
        // the first line is for users, the following describe the inside of the connection
        return new ConnectionException(what + ": " + text.lines().findFirst().orElse("") + reason(cause), why);
    }

    /** Returns the message of the first cause of all, such as an unknown authority; empty when there is none. */
    private static String reason(@Nullable Throwable cause) {
        Throwable first = cause;
        while (first != null && first.getCause() != null) {
            first = first.getCause();
        }
        return first == null || first.getMessage() == null ? "" : ": " + first.getMessage();
    }

    private static String message(io.grpc.Status status) {
        return Objects.requireNonNullElseGet(
                status.getDescription(), () -> status.getCode().name());
    }
}
