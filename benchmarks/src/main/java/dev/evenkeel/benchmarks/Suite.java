package dev.evenkeel.benchmarks;

/** Workloads that belong together. */
interface Suite {
    /** What one asks for on the command line. */
    String name();

    /** Measures everything. */
    void run(Effort effort, Report report) throws Exception;
}
