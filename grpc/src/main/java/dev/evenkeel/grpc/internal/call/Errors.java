package dev.evenkeel.grpc.internal.call;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.ResourceInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Creates the errors of the service: a code, a message for people, and details for programs. Every error has an
 * {@link ErrorInfo} with one of the reasons below, or with the reason of the Kubernetes API for refusals of the engine.
 */
public final class Errors {
    /** The domain of the reasons. */
    public static final String DOMAIN = "evenkeel.dev";

    /** The metadata of an {@link ErrorInfo}: the HTTP status, and the details of a refusal of the Kubernetes API. */
    public static final String CODE = "code";

    public static final String GROUP = "group";
    public static final String KIND = "kind";
    public static final String NAME = "name";
    public static final String UID = "uid";
    public static final String CONTINUE = "continue";

    private static final String CONFLICT_OF_MANAGERS = "FieldManagerConflict";
    private static final String TERMINATING = "NamespaceTerminating";

    private Errors() {}

    /** Returns an error with a reason and details. */
    public static CallException of(Code code, String reason, String message, Message... details) {
        Status.Builder status = Status.newBuilder().setCode(code.getNumber()).setMessage(message);
        status.addDetails(Any.pack(
                ErrorInfo.newBuilder().setReason(reason).setDomain(DOMAIN).build()));
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return new CallException(status.build());
    }

    /** Returns the error of a request with wrong fields; the message lists all of them. */
    public static CallException invalid(List<BadRequest.FieldViolation> violations) {
        List<String> texts = violations.stream()
                .map(BadRequest.FieldViolation::getDescription)
                .distinct()
                .toList();
        return of(
                Code.INVALID_ARGUMENT,
                "INVALID",
                String.join("; ", texts),
                BadRequest.newBuilder().addAllFieldViolations(violations).build());
    }

    /** Returns the error of a request with one wrong field. */
    public static CallException invalid(String field, String message) {
        return invalid(List.of(violation(field, message)));
    }

    /** Returns a violation whose text names the field already. */
    public static BadRequest.FieldViolation violation(String field, String message) {
        return BadRequest.FieldViolation.newBuilder()
                .setField(field)
                .setDescription(message)
                .build();
    }

    /** Returns the error of a resource that does not exist. */
    public static CallException notFound(String type, String name) {
        return of(
                Code.NOT_FOUND,
                "NOT_FOUND",
                "resource not found",
                ResourceInfo.newBuilder()
                        .setResourceType(type)
                        .setResourceName(name)
                        .build());
    }

    /** Returns the error of a write whose version is not the present one. */
    public static CallException versionMismatch(String given, String present) {
        String why = present.isEmpty() ? "there is no such resource" : "the present version is " + present;
        return of(
                Code.ABORTED,
                "VERSION_MISMATCH",
                "CAS operation failed because the given version doesn't match what is stored: " + given + " was given, "
                        + why);
    }

    /** Returns the error of a write for another resource of the same name. */
    public static CallException uidMismatch(String given, String present) {
        String message = "the given uid doesn't match what is stored: " + given + " was given, the present one is "
                + present + "; the resource was deleted and created again";
        return of(
                Code.FAILED_PRECONDITION,
                "UID_MISMATCH",
                message,
                PreconditionFailure.newBuilder()
                        .addViolations(PreconditionFailure.Violation.newBuilder()
                                .setType("UID")
                                .setSubject(present)
                                .setDescription(message))
                        .build());
    }

    /**
     * Returns the error of a call that the engine refused.
     *
     * @param field the field of the request for a field of the object, such as {@code resource.data.name} for
     *     {@code spec.name}
     */
    public static CallException of(ApiException refusal, UnaryOperator<String> field) {
        if (refusal instanceof CallException known) {
            return known;
        }
        String reason = refusal.reason().isEmpty() ? "UNKNOWN" : refusal.reason();
        String message = refusal.status().message();
        if (has(refusal, TERMINATING)) {
            return of(Code.INVALID_ARGUMENT, reason, "tenancy marked for deletion: " + message);
        }
        if (has(refusal, CONFLICT_OF_MANAGERS)) {
            PreconditionFailure.Builder failure = PreconditionFailure.newBuilder();
            refusal.causes()
                    .forEach(cause -> failure.addViolations(PreconditionFailure.Violation.newBuilder()
                            .setType("FIELD_MANAGER")
                            .setSubject(field.apply(path(cause)))
                            .setDescription(cause.message())));
            return of(Code.FAILED_PRECONDITION, "FIELD_MANAGER_CONFLICT", message, failure.build());
        }
        List<Message> details = new ArrayList<>();
        if (refusal.code() == 422) {
            details.add(BadRequest.newBuilder()
                    .addAllFieldViolations(refusal.causes().stream()
                            .map(cause -> violation(field.apply(cause.field()), cause.message()))
                            .toList())
                    .build());
        }
        int delay = refusal.status()
                .details()
                .map(dev.evenkeel.client.Status.Details::retryAfterSeconds)
                .orElse(0);
        if (delay > 0) {
            details.add(retryAfter(delay));
        }
        return of(code(refusal), reason, message, details.toArray(Message[]::new));
    }

    /**
     * Returns the error of a call that the engine refused, with everything that the refusal says in the words of the
     * Kubernetes API.
     */
    public static CallException complete(ApiException refusal) {
        if (refusal instanceof CallException known) {
            return known;
        }
        dev.evenkeel.client.Status status = refusal.status();
        ErrorInfo.Builder info = ErrorInfo.newBuilder()
                .setReason(status.reason())
                .setDomain(DOMAIN)
                .putMetadata(CODE, Integer.toString(status.code()));
        if (!status.continueToken().isEmpty()) {
            info.putMetadata(CONTINUE, status.continueToken());
        }
        List<Message> details = new ArrayList<>();
        status.details().ifPresent(about -> {
            info.putMetadata(GROUP, about.group())
                    .putMetadata(KIND, about.kind())
                    .putMetadata(NAME, about.name())
                    .putMetadata(UID, about.uid());
            if (!about.causes().isEmpty()) {
                BadRequest.Builder causes = BadRequest.newBuilder();
                about.causes()
                        .forEach(cause -> causes.addFieldViolations(BadRequest.FieldViolation.newBuilder()
                                .setField(cause.field())
                                .setDescription(cause.message())
                                .setReason(cause.reason())));
                details.add(causes.build());
            }
            if (about.retryAfterSeconds() > 0) {
                details.add(retryAfter(about.retryAfterSeconds()));
            }
        });
        Status.Builder rpc = Status.newBuilder()
                .setCode(code(refusal).getNumber())
                .setMessage(status.message())
                .addDetails(Any.pack(info.build()));
        details.forEach(detail -> rpc.addDetails(Any.pack(detail)));
        return new CallException(rpc.build());
    }

    private static RetryInfo retryAfter(int seconds) {
        return RetryInfo.newBuilder()
                .setRetryDelay(Duration.newBuilder().setSeconds(seconds))
                .build();
    }

    private static String path(Cause cause) {
        return cause.field().startsWith(".") ? cause.field().substring(1) : cause.field();
    }

    private static boolean has(ApiException refusal, String cause) {
        return refusal.causes().stream().anyMatch(one -> one.reason().equals(cause));
    }

    private static Code code(ApiException refusal) {
        return switch (refusal.code()) {
            case 400, 415, 422 -> Code.INVALID_ARGUMENT;
            case 401 -> Code.UNAUTHENTICATED;
            case 403 -> Code.PERMISSION_DENIED;
            case 404 -> Code.NOT_FOUND;
            case 405 -> Code.UNIMPLEMENTED;
            case 409 -> refusal.reason().equals("AlreadyExists") ? Code.ALREADY_EXISTS : Code.ABORTED;
            case 410 -> Code.OUT_OF_RANGE;
            case 413, 429 -> Code.RESOURCE_EXHAUSTED;
            case 503 -> Code.UNAVAILABLE;
            case 504 -> Code.DEADLINE_EXCEEDED;
            default -> Code.INTERNAL;
        };
    }
}
