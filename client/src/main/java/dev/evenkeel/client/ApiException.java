package dev.evenkeel.client;

import java.util.List;

/**
 * The API refused a request. Subclasses mirror the reasons of {@link Status}, so that callers can catch what they can
 * deal with; a reason without a subclass arrives as this class.
 *
 * <p>Two exceptions with the same status are about the same refusal, whether they come from the engine in process or
 * from a server.
 */
public class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** For subclasses and for {@link #of}. */
    protected ApiException(Status status) {
        super(status.message());
        this.status = status;
    }

    /** The exception whose class fits the status. */
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

    /** What the API said. */
    public Status status() {
        return status;
    }

    /** HTTP status code. */
    public int code() {
        return status.code();
    }

    /** Machine readable reason; empty where the API gives none. */
    public String reason() {
        return status.reason();
    }

    /** The single causes; empty when none were given. */
    public List<StatusCause> causes() {
        return status.details().map(StatusDetails::causes).orElse(List.of());
    }
}
