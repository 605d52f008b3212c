package dev.evenkeel.load.result;

/**
 * The growth of a class of a JVM, without what a full collection removes.
 *
 * @param name the name as JVMs print it: that of an array of bytes is {@code [B}
 * @param instances the growth of the number of its instances
 * @param bytes the growth of their size, without that of objects that they refer to
 */
public record ClassGrowth(String name, long instances, long bytes) {}
