package dev.evenkeel.engine.spi;

/**
 * An object at a revision.
 *
 * @param key where it is
 * @param revision of the commit that wrote it
 * @param value the object
 */
public record Entry(Key key, long revision, Value value) {}
