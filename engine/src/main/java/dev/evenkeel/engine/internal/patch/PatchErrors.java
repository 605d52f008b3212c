package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;

/** The answers of kube-apiserver to patches that it cannot apply. */
final class PatchErrors {
    private PatchErrors() {}

    /** The patch cannot be read. */
    static ApiException badRequest(String message) {
        return ApiException.of(Status.of(400, "BadRequest", message));
    }

    /** The patch does not fit the object. Upstream does not say why. */
    static ApiException unprocessable() {
        String message = "the server rejected our request due to an error in our request";
        return ApiException.of(Status.of(422, "Invalid", message, Status.Details.EMPTY));
    }

    /** The patch exceeds a limit. */
    static ApiException tooLarge(String message) {
        return ApiException.of(Status.of(413, "RequestEntityTooLarge", "Request entity too large: " + message));
    }

    /** A strategic merge patch contradicts itself or the type. */
    static ApiException internal(String message) {
        return ApiException.of(Status.of(500, "", message));
    }
}
