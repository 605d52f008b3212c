package dev.evenkeel.load.internal.measure;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One reading of a JVM.
 *
 * @param heap bytes of the heap in use, garbage included
 * @param afterCollection by memory pool of the heap, bytes in use after the last collection of that pool
 * @param allocated bytes that threads have allocated since the start; empty if the JVM does not count them
 * @param collections the number of collections since the start
 * @param paused the time in which collections stopped the program, since the start
 */
public record JvmReading(
        long heap, SortedMap<String, Long> afterCollection, OptionalLong allocated, long collections, Duration paused) {
    public JvmReading {
        afterCollection = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(afterCollection)));
    }
}
