package dev.evenkeel.engine.cel;

/** The null of CEL, so that Java's stays out. */
enum Nothing {
    NULL
}
