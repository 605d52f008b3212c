package dev.evenkeel.benchmarks;

import java.util.List;

/** The controller runtime: its queue, its caches, and whole controllers. */
final class ControllerSuite implements Suite {
    /** A workload for one part of the controller runtime. */
    interface Workload {
        /** Measures the workload. */
        void run(ReportSection section) throws Exception;
    }

    private static final List<Workload> WORKLOADS = List.of(
            new QueueWorkload(),
            new CacheWorkload(),
            new SyncWorkload(),
            new ReconcileWorkload(),
            new OwnWriteWorkload(),
            new CaseWorkload());

    @Override
    public String name() {
        return "controller";
    }

    @Override
    public void run(RunLength length, Report report) throws Exception {
        report.begin(
                name(),
                "informers, queues and controllers; peers in the same process, which talk to the same server in another one");
        ReportSection section = new ReportSection(name(), length, report);
        for (Workload workload : WORKLOADS) {
            workload.run(section);
        }
    }
}
