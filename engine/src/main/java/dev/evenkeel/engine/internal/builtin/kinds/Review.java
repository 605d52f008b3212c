package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.List;
import java.util.Optional;

/** A kind whose create is a question: it is answered with a status and never stored. */
public interface Review {
    /** Returns the review of a type; empty for a type whose objects are stored. */
    static Optional<Review> of(ResourceType type) {
        return Optional.ofNullable(Reviews.BY_TYPE.get(type.id()));
    }

    /** Returns the errors of a review. */
    default List<FieldError> validate(JsonObject review) {
        return List.of();
    }

    /**
     * Returns the status of a valid review.
     *
     * @param review the question; the parts that the answer does not repeat may be removed
     * @param requester the sender
     * @param now the time, as the API writes it
     * @throws dev.evenkeel.client.BadRequestException when the review lacks required fields
     */
    JsonObject answer(JsonObject review, Requester requester, String now);
}
