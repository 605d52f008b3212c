package dev.evenkeel.engine.internal.apply;

/** Stands where a value would be when there is none, which is not the same as null. */
enum Absent {
    /** There is no value. */
    ABSENT
}
