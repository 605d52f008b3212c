package dev.evenkeel.engine.internal.cel;

/** The null of CEL, so that Java's stays out. */
enum Nothing {
    NULL
}
