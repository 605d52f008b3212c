package dev.evenkeel.engine.internal.cel;

/** The null of CEL, which avoids Java's. */
enum Nothing {
    NULL
}
