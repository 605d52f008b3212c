package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Status;
import java.util.List;

/** The answer to a write that was accepted; refusals are {@link dev.evenkeel.client.ApiException}s. */
public sealed interface Reply {
    /** Returns the HTTP status code. */
    int code();

    /** Returns the warnings for the client, each in one line. */
    List<String> warnings();

    /**
     * Answers with an object.
     *
     * @param code 200, 201 (created) or 202 (accepted)
     * @param document the object
     * @param warnings the warnings for the client
     */
    record Shown(int code, Document document, List<String> warnings) implements Reply {}

    /**
     * Answers that an object is gone: a Status with {@code status: Success}.
     *
     * @param code 200
     * @param details the object that was deleted
     * @param warnings the warnings for the client
     */
    record Success(int code, Status.Details details, List<String> warnings) implements Reply {}
}
