package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import java.nio.file.Path;

/** A store that keeps its data in a directory, or belongs to one: another directory, other data. */
interface DurableStoreUnderTest {
    /** Returns its name and settings, for the report. */
    String label();

    /** Opens an engine on its data; creates them if absent. */
    Engine open(Path directory) throws Exception;

    /** Returns the bytes on disk, while no engine is open. */
    long bytes(Path directory) throws Exception;

    /** Returns the name of the storage below, used without this project. */
    String bare();

    /** Returns how many objects a second a client of the storage below creates, durably, in groups of a size. */
    double bareCreates(Path directory, int group, RunLength length) throws Exception;

    /** Measures more of the storage below, with a number of clients; by default nothing. */
    default void others(ReportSection section, Path directory, int clients) throws Exception {}
}
