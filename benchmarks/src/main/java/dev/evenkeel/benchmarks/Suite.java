package dev.evenkeel.benchmarks;

import java.util.List;

/**
 * Workloads that belong together.
 *
 * @param name for the command line
 * @param remark printed above the lines
 */
record Suite(String name, String remark, List<Workload> workloads) {
    /** Measures and adds lines to a section. */
    @FunctionalInterface
    interface Workload {
        void run(ReportSection section) throws Exception;
    }

    Suite(String name, String remark, Workload... workloads) {
        this(name, remark, List.of(workloads));
    }

    void run(RunLength length, Report report) throws Exception {
        report.begin(name, remark);
        for (Workload workload : workloads) {
            workload.run(new ReportSection(name, length, report));
        }
    }
}
