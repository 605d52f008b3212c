package dev.evenkeel.client;

import java.util.List;

/**
 * Thrown when the API refuses a request. Subclasses mirror the reasons of {@link Status}; a reason without a subclass
 * arrives as this class.
 *
 * <p>Two exceptions with the same status describe the same refusal, whether they come from the engine in process or
 * from a server.
 */
public class ApiException extends RuntimeException {
    private final transient Status status;

    /** Creates an exception; for subclasses and {@link #of}. */
    protected ApiException(Status status) {
        super(status.message());
        this.status = status;
    }

    /** Returns the exception whose class fits the status. */
    public static ApiException of(Status status) {
        return switch (status.reason()) {
            case "NotFound" -> new NotFoundException(status);
            case "AlreadyExists" -> new AlreadyExistsException(status);
            case "Conflict" -> new ConflictException(status);
            case "Invalid" -> new InvalidException(status);
            case "BadRequest" -> new BadRequestException(status);
            case "Unauthorized" -> new UnauthorizedException(status);
            case "Forbidden" -> new ForbiddenException(status);
            case "Gone", "Expired" -> new ExpiredException(status);
            case "Timeout", "ServerTimeout" -> new TimeoutException(status);
            case "TooManyRequests" -> new TooManyRequestsException(status);
            case "MethodNotAllowed" -> new MethodNotAllowedException(status);
            case "UnsupportedMediaType" -> new UnsupportedMediaTypeException(status);
            case "RequestEntityTooLarge" -> new RequestTooLargeException(status);
            default -> new ApiException(status);
        };
    }

    static ApiException badRequest(String message) {
        return of(Status.of(400, "BadRequest", message));
    }

    /** Returns the status that the API answered. */
    public Status status() {
        return status;
    }

    /** Returns the HTTP status code. */
    public int code() {
        return status.code();
    }

    /** Returns the machine-readable reason; empty where the API gives none. */
    public String reason() {
        return status.reason();
    }

    /** Returns the individual causes; empty when none were given. */
    public List<Status.Cause> causes() {
        return status.details().map(Status.Details::causes).orElse(List.of());
    }
}
