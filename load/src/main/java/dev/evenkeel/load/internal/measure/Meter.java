package dev.evenkeel.load.internal.measure;

import java.io.IOException;
import java.util.List;

/** Reads figures of a process. Not safe for use by several threads. */
@FunctionalInterface
public interface Meter {
    /**
     * Reads the figures. What can't be read is left out.
     *
     * @throws IOException when nothing can be read; the message says why
     * @throws InterruptedException when the thread is interrupted
     */
    List<Figure> figures() throws IOException, InterruptedException;
}
