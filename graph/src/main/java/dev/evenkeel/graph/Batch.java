package dev.evenkeel.graph;

import java.util.List;

/**
 * The messages that bring a consumer from the state that was sent to it to the current one, in order: additions and
 * updates of the sink's parts as they were declared, then removals in reverse.
 *
 * @param messages the messages
 * @param firstSync true for the first batch after all barriers of the sink have opened: with it, the consumer has all
 * @param <M> messages
 */
public record Batch<M>(List<M> messages, boolean firstSync) {
    public Batch {
        messages = List.copyOf(messages);
    }

    /** Returns true if the batch has no messages, and is not the first in sync. */
    public boolean isEmpty() {
        return messages.isEmpty() && !firstSync;
    }
}
