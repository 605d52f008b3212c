package dev.evenkeel.client;

/**
 * One reason for the refusal of a request.
 *
 * @param reason machine readable, such as {@code FieldValueInvalid}; empty when the server gave none
 * @param message for humans
 * @param field path of the offending field, such as {@code spec.replicas}; empty when no field is meant
 */
public record StatusCause(String reason, String message, String field) {}
