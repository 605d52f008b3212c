package dev.evenkeel.benchmarks;

/** Workloads that belong together. */
interface Suite {
    /** Returns the name for the command line. */
    String name();

    /** Measures everything. */
    void run(RunLength length, Report report) throws Exception;
}
