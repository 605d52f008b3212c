package dev.evenkeel.engine;

/**
 * Types that a program serves in every partition, in addition to the built-in kinds: see {@link
 * Engine.Builder#register}.
 *
 * <p>Created by {@link Registration#of} for model classes, and by the module {@code evenkeel-protobuf} for protobuf
 * messages; not to be implemented by users.
 */
public interface TypeSource {}
