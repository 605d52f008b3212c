package dev.evenkeel.client;

import java.util.Optional;

/**
 * A refusal in the words of the Kubernetes API: the {@code Status} object with {@code status: Failure}.
 *
 * @param code HTTP status code
 * @param reason machine readable reason, such as {@code NotFound}; empty where the API gives none
 * @param message for humans
 * @param details what the refusal is about
 * @param continueToken a fresh continue token, sent with an expired one ({@code metadata.continue}); empty otherwise
 */
public record Status(int code, String reason, String message, Optional<StatusDetails> details, String continueToken) {

    /** Returns a status without details. */
    public static Status of(int code, String reason, String message) {
        return new Status(code, reason, message, Optional.empty(), "");
    }

    /** Returns a status with details. */
    public static Status of(int code, String reason, String message, StatusDetails details) {
        return new Status(code, reason, message, Optional.of(details), "");
    }
}
