package dev.evenkeel.store.sqlite;

/** The failures that an acknowledged commit survives. */
public enum Durability {
    /**
     * A loss of power: each group of commits is synced to the disk before it is acknowledged ({@code synchronous=FULL} of
     * SQLite in WAL mode).
     */
    SYNC,

    /**
     * The end of the process, such as by {@code kill -9}: commits are handed to the operating system, which syncs them
     * later ({@code synchronous=NORMAL}). After a loss of power the last commits may be missing; what is there is
     * consistent.
     */
    FLUSH
}
