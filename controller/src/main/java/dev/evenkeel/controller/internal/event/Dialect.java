package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Client;

/** Converts occurrences to events of one of the APIs. One task at a time calls it. */
sealed interface Dialect permits CoreDialect, SeriesDialect {
    /** An event to write. */
    @FunctionalInterface
    interface Write {
        /** Writes the event; may be tried again when it failed. */
        void to(Client client);
    }

    /** Writes nothing. */
    Write NOTHING = client -> {};

    /** Combines an occurrence with the previous ones. */
    Write observe(Occurrence occurrence);

    /** Returns whether the last occurrence was left out as one of too many. */
    boolean filtered();

    /** Returns writes that are due without a new occurrence. */
    java.util.List<Write> due(boolean last);
}
