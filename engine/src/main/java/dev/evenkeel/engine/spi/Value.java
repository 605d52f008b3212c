package dev.evenkeel.engine.spi;

/**
 * What a store keeps under a key: the encoded object, and what the engine read off it once.
 *
 * <p>A store that writes bytes elsewhere keeps only {@link #bytes()} and makes the value anew with the engine's decoder.
 */
public interface Value {
    /** The encoded object, without its resourceVersion. Must not be changed. */
    byte[] bytes();
}
