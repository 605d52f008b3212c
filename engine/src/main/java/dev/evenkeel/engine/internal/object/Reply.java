package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Status;
import java.util.List;

/** The answer to a write that was accepted; refusals are {@link dev.evenkeel.client.ApiException}s. */
public sealed interface Reply {
    int code();

    /** Returns the warnings for the client, each in one line. */
    List<String> warnings();

    /**
     * Answers with an object.
     *
     * @param code 200, 201 (created) or 202 (accepted)
     */
    record Shown(int code, Document document, List<String> warnings) implements Reply {}

    /** Answers that an object is gone: a Status with {@code status: Success} and details of the object. */
    record Success(int code, Status.Details details, List<String> warnings) implements Reply {}
}
