package dev.evenkeel.controller.cache;

import java.time.Duration;

/**
 * How an {@link Informer} is doing.
 *
 * @param synced whether the first list is in the cache
 * @param objects in the cache
 * @param bytes that they need, about
 * @param quiet how long ago the server last said something, bookmarks included; of several namespaces, the longest
 * @param relists after the first list
 * @param watchRestarts after the first watch
 * @param failures of lists and watches
 * @param problems objects that could not be read, indexed or handled
 * @param ahead keys of which this process's own writes are known and the watch has not told yet
 */
public record InformerFigures(
        boolean synced,
        int objects,
        long bytes,
        Duration quiet,
        long relists,
        long watchRestarts,
        long failures,
        long problems,
        int ahead) {}
