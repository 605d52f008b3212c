package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.List;

/** A kind whose create is a question: it is answered with a status and never stored. */
@FunctionalInterface
public interface Review {
    default List<FieldError> validate(JsonObject review) {
        return List.of();
    }

    /**
     * Returns the status of a valid review.
     *
     * @param review the question; the parts that the answer does not repeat may be removed
     * @param requester the sender
     * @param permissions of the partition
     * @param now the time, as the API writes it
     * @throws dev.evenkeel.client.BadRequestException when the review lacks required fields
     */
    JsonObject answer(JsonObject review, Requester requester, Permissions permissions, String now);
}
