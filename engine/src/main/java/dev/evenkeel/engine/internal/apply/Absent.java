package dev.evenkeel.engine.internal.apply;

/** Represents an absent value, which differs from null. */
enum Absent {
    /** The absent value. */
    ABSENT
}
