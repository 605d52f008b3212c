package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Client;
import java.util.List;

/** Converts occurrences to events of one of the APIs. One task at a time calls it. */
sealed interface Dialect permits CoreDialect, SeriesDialect {
    @FunctionalInterface
    interface Write {
        /** Writes the event; may be tried again when it failed. */
        void to(Client client);
    }

    Write NOTHING = client -> {};

    /** Leaves an occurrence out as one of too many. */
    Write FILTERED = client -> {};

    /** Combines an occurrence with the previous ones. */
    Write observe(Occurrence occurrence);

    /** Returns writes that are due without a new occurrence. */
    default List<Write> due(boolean last) {
        return List.of();
    }
}
