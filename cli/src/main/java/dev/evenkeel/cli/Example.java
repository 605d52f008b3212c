package dev.evenkeel.cli;

import java.util.List;

/** The examples to choose from, by the names of their directories. */
enum Example {
    /** Websites. */
    website,
    /** Databases. */
    database,
    /** Brokers of streams, and their topics, accounts and mirrors. */
    stream,
    /** All of them. */
    all;

    /** Returns the chosen examples. */
    List<Example> chosen() {
        return this == all ? List.of(website, database, stream) : List.of(this);
    }
}
