package dev.evenkeel.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the engine, its server and the controller runtime together with peers, in one run on one machine, so that
 * the ratios are meaningful wherever it runs.
 */
public final class Bench {
    private static final List<Suite> SUITES = List.of(
            new Suite(
                    "server",
                    "HTTP/1.1 on loopback without TLS, client in the same JVM, 1 KB ConfigMaps; peer: "
                            + MockServer.NAME,
                    section -> new ServerSuite(section).run(),
                    section -> new EncodingWorkload(section).run(),
                    section -> new AdmissionWorkload(section).run()),
            new Suite(
                    "grpc",
                    "loopback without TLS, client in the same JVM, 1 KB objects of a type in protobuf; peers: a bare echo of the"
                            + " same messages with grpc-java, and the Kubernetes API of the same engine",
                    section -> new GrpcSuite(section).run()),
            new Suite(
                    "engine",
                    "in process, one thread; peer: the mock server's dispatcher, in process as well",
                    EngineSuite::run),
            new Suite(
                    "store",
                    "SQLite in the directory for temporary files, 1 KB ConfigMaps; peers: SQLite by hand, one thread that"
                            + " inserts as many rows in a transaction as there are clients; an engine in memory",
                    StoreSuite::run),
            new Suite(
                    "controller",
                    "informers, queues and controllers; peers in the same process, which talk to the same server in another one",
                    QueueWorkload::run,
                    CacheWorkload::run,
                    SyncWorkload::run,
                    ReconcileWorkload::run,
                    OwnWriteWorkload::run,
                    CaseWorkload::run),
            new Suite(
                    "reconcile",
                    "trees of sub-reconcilers on the engine in process, on one thread: its processor time and allocation",
                    ReconcileSuite::run),
            new Suite(
                    "graph",
                    "one thread, each change delivered to a consumer; peer: a straightforward recomputation with an index for"
                            + " each kind of object",
                    MatchWorkload::run,
                    SnapshotWorkload::run,
                    PolicyChurnWorkload::run),
            new Suite(
                    "agent",
                    "an agent in another process that programs nftables in a network namespace, behind an API server over HTTP:"
                            + " 1,000 policies, 10,000 pods, 200 of them on the node",
                    AgentWorkload::run),
            new Suite(
                    "load",
                    "the load harness, behind an API server in another process over TLS; the processor time of this process",
                    DriverWorkload::run,
                    SamplerWorkload::run,
                    LatencyErrorWorkload::run,
                    ProxyWorkload::run),
            new Suite(
                    "junit",
                    "classes of tests run by JUnit in this process, each test with a cluster of its own",
                    JunitSuite::run),
            new Suite(
                    "scale",
                    "the engine in process: the growth of costs with objects, watches, types, partitions and clients; a slope of"
                            + " 0 is a cost that does not grow, of 1 one that is proportional",
                    ScaleSuite::run),
            new Suite(
                    "fleet",
                    "up to three API servers on one etcd, each in a process of its own, with updates of 1 KB ConfigMaps at a"
                            + " constant rate; the peer is a prediction from costs that were measured with one and two servers",
                    FleetSuite::run),
            new Suite("testing", "the same 20 cases of one operator, each with an API of its own", TestingSuite::run));

    private Bench() {}

    /** Measures and adds lines to a section. */
    @FunctionalInterface
    private interface Workload {
        void run(ReportSection section) throws Exception;
    }

    /** Workloads that belong together, their name for the command line, and a remark above their lines. */
    private record Suite(String name, String remark, List<Workload> workloads) {
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

    /** Returns the names of all suites, in the order in which they run. */
    public static List<String> suites() {
        return SUITES.stream().map(Suite::name).toList();
    }

    /**
     * The suites to run, how often, and the files of results.
     *
     * @param suites their names; empty for all
     * @param quick true to measure for seconds rather than minutes
     * @param runs how often each suite runs
     * @param json where to write the results: a list of {@code {suite, workload, unit, ours, peer, peerName, ratio, ourRuns,
     *     peerRuns}}, with the medians and the values of each run; a ratio above 1 means that ours is better, whatever the
     *     unit; peer and ratio are null where there is no peer
     * @param compare the results of an earlier version, to be compared with
     */
    record Options(List<String> suites, boolean quick, int runs, Optional<Path> json, Optional<Path> compare) {
        static final int FULL_RUNS = 5;
        static final int QUICK_RUNS = 3;

        Options {
            suites = List.copyOf(suites);
            if (runs < 1) {
                throw new IllegalArgumentException("--runs must be at least 1: " + runs);
            }
        }

        /** Reads options as the command has them. */
        static Options of(String... arguments) {
            List<String> suites = new ArrayList<>(List.of(arguments));
            boolean quick = suites.remove("--quick");
            Optional<Path> json = value(suites, "--json").map(Path::of);
            Optional<Path> compare = value(suites, "--compare").map(Path::of);
            int runs = value(suites, "--runs").map(Integer::parseInt).orElse(quick ? QUICK_RUNS : FULL_RUNS);
            return new Options(suites, quick, runs, json, compare);
        }

        private static Optional<String> value(List<String> arguments, String option) {
            int at = arguments.indexOf(option);
            if (at < 0) {
                return Optional.empty();
            }
            arguments.remove(at);
            if (at == arguments.size()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            return Optional.of(arguments.remove(at));
        }
    }

    /**
     * Runs suites, and prints the results.
     *
     * @throws IllegalArgumentException when the name of a suite is unknown, or the results to compare with are not readable
     */
    static void run(Options options, PrintStream out) {
        List<Suite> chosen = new ArrayList<>();
        for (String name : options.suites().isEmpty() ? suites() : options.suites()) {
            chosen.add(SUITES.stream()
                    .filter(suite -> suite.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "unknown suite \"" + name + "\"; known: " + String.join(", ", suites()))));
        }
        Optional<List<ReportRow>> earlier = options.compare().map(BenchComparison::read);
        Report report = new Report(out);
        options.json().ifPresent(report::write); // to fail early rather than after minutes
        Runtime machine = Runtime.getRuntime();
        out.printf(
                "Java %s, %d processors, heap of at most %d MB%n",
                Runtime.version(), machine.availableProcessors(), machine.maxMemory() >> 20);
        for (int run = 1; run <= options.runs(); run++) {
            if (options.runs() > 1) {
                out.printf("%nRun %d of %d%n", run, options.runs());
            }
            for (Suite suite : chosen) {
                run(suite, options.quick() ? RunLength.QUICK : RunLength.FULL, report);
                options.json().ifPresent(report::write);
            }
        }
        if (options.runs() > 1) {
            report.summary(options.runs());
        }
        earlier.ifPresent(before -> {
            out.printf("%nCompared with %s:%n%n", options.compare().orElseThrow());
            out.print(BenchComparison.text(BenchComparison.of(
                    before.stream()
                            .filter(row -> chosen.stream()
                                    .anyMatch(suite ->
                                            suite.name().equals(row.key().suite())))
                            .toList(),
                    report.rows())));
        });
        out.flush();
    }

    private static void run(Suite suite, RunLength length, Report report) {
        try {
            suite.run(length, report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("suite " + suite.name() + " was interrupted", e);
        } catch (Exception e) {
            throw new IllegalStateException("suite " + suite.name() + " failed: " + e.getMessage(), e);
        }
    }

    /** Runs suites, which are the arguments, with the options of the command. */
    public static void main(String[] args) {
        try {
            run(Options.of(args), System.out);
            System.exit(0);
        } catch (RuntimeException e) {
            System.err.println("evenkeel: " + e.getMessage());
            System.exit(1);
        }
    }
}
