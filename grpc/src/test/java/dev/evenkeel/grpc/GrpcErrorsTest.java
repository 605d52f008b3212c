package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RequestTooLargeException;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.grpc.internal.call.Errors;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GrpcErrorsTest {
    static List<Status> refusals() {
        Status.Details details = Status.Details.of("a", "apps", "deployments").uid("u-1");
        return List.of(
                Status.of(400, "BadRequest", "no selector"),
                Status.of(401, "Unauthorized", "Unauthorized"),
                Status.of(403, "Forbidden", "forbidden: \u00fc", details),
                Status.of(
                        404,
                        "NotFound",
                        "deployments.apps \"a\" not found",
                        Status.Details.of("a", "apps", "deployments")),
                Status.of(404, "NotFound", "the server could not find the requested resource", Status.Details.EMPTY),
                Status.of(405, "MethodNotAllowed", "", Status.Details.EMPTY),
                Status.of(409, "AlreadyExists", "exists", details),
                Status.of(
                        409,
                        "Conflict",
                        "Apply failed with 1 conflict",
                        Status.Details.EMPTY.causes(
                                List.of(new Status.Cause("FieldManagerConflict", "conflict with \"m\"", ".data.k")))),
                new Status(410, "Expired", "too old", Optional.empty(), "bmV4dA"),
                Status.of(413, "RequestEntityTooLarge", "too large"),
                Status.of(415, "UnsupportedMediaType", "unknown format"),
                Status.of(
                        422,
                        "Invalid",
                        "2 errors",
                        details.causes(List.of(
                                new Status.Cause("FieldValueRequired", "Required value", "spec.name"),
                                new Status.Cause("", "", "")))),
                Status.of(429, "TooManyRequests", "later", Status.Details.EMPTY.retryAfterSeconds(7)),
                Status.of(500, "", "resourceVersion: Invalid value"),
                Status.of(503, "ServiceUnavailable", "no store", Status.Details.EMPTY.retryAfterSeconds(1)),
                Status.of(504, "Timeout", "unknown result"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalArrivesAsItWas(Status status) {
        ApiException refusal = ApiException.of(status);

        RuntimeException received = GrpcErrors.of(
                "Get",
                StatusProto.toStatusRuntimeException(Errors.complete(refusal).rpc()));

        assertThat(received).hasSameClassAs(refusal).hasMessage(status.message());
        assertThat(((ApiException) received).status()).isEqualTo(status);
    }

    @Test
    void errorsAroundTheApiAreRefusals() {
        assertThat(GrpcErrors.of(
                        "Get",
                        StatusProto.toStatusRuntimeException(
                                Errors.of(Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", "600 calls at once")
                                        .rpc())))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessage("600 calls at once");
        RuntimeException stopping = GrpcErrors.of(
                "Get",
                StatusProto.toStatusRuntimeException(Errors.of(Code.UNAVAILABLE, "STOPPING", "the server is stopping")
                        .rpc()));
        assertThat(((ApiException) stopping).code()).isEqualTo(503);
    }

    @Test
    void errorsOfTheNetworkDiffer() {
        assertThat(GrpcErrors.of("Get of h:1", error(io.grpc.Status.UNAVAILABLE.withCause(new IOException("refused")))))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("Get of h:1: UNAVAILABLE: refused");
        assertThat(GrpcErrors.of("Get", error(io.grpc.Status.DEADLINE_EXCEEDED.withDescription("30s"))))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("Get: 30s");
        assertThat(GrpcErrors.of("Get", error(io.grpc.Status.CANCELLED.withCause(new InterruptedException()))))
                .isInstanceOf(RequestInterruptedException.class);
        assertThat(GrpcErrors.of("Get", error(io.grpc.Status.RESOURCE_EXHAUSTED.withDescription("4 MiB"))))
                .isInstanceOf(RequestTooLargeException.class)
                .hasMessage("4 MiB");
    }

    private static StatusRuntimeException error(io.grpc.Status status) {
        return status.asRuntimeException();
    }
}
