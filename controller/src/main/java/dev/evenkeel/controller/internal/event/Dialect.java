package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Client;

/** How occurrences become events of one of the APIs. One task at a time calls it. */
sealed interface Dialect permits CoreDialect, SeriesDialect {
    /** What is to be written. */
    @FunctionalInterface
    interface Write {
        /** Writes it; may be tried again when it failed. */
        void to(Client client);
    }

    /** Nothing is written. */
    Write NOTHING = client -> {};

    /** Puts an occurrence with what there was before. */
    Write observe(Occurrence occurrence);

    /** Whether the last occurrence was left out for being one of too many. */
    boolean filtered();

    /** What is due though nothing occurred. */
    java.util.List<Write> due(boolean last);
}
