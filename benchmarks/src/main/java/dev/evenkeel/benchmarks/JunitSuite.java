package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.benchmarks.junit.EvenkeelOperatorTests;
import dev.evenkeel.benchmarks.junit.EvenkeelSetUp;
import dev.evenkeel.benchmarks.junit.MockOperatorTests;
import dev.evenkeel.benchmarks.junit.MockSetUp;
import dev.evenkeel.benchmarks.junit.NoCluster;
import dev.evenkeel.junit.EngineCluster;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Classes of tests run by JUnit, each test with a cluster of its own: the time of a class, and of a test. */
final class JunitSuite {
    private static final String PEER = MockServer.NAME;
    private static final int TESTS = 200;

    /** As many tests at a time as there are processors. */
    private static final Map<String, String> IN_PARALLEL = Map.of(
            "junit.jupiter.execution.parallel.enabled", "true",
            "junit.jupiter.execution.parallel.mode.default", "concurrent",
            "junit.jupiter.execution.parallel.config.executor-service", "WORKER_THREAD_POOL");

    private JunitSuite() {}

    static void run(ReportSection section) {
        MockServer.quiet();
        boolean quick = section.quick();
        int rounds = quick ? 5 : 15;
        double cold = millis(EvenkeelOperatorTests.class);
        double cluster = cluster(quick ? 5_000 : 20_000);
        double none = median(NoCluster.class, rounds) / TESTS;
        double mine = median(EvenkeelSetUp.class, rounds) / TESTS;
        double operator = median(EvenkeelOperatorTests.class, rounds);
        double parallel = median(EvenkeelOperatorTests.class, rounds, IN_PARALLEL);
        double theirCold = millis(MockOperatorTests.class);
        double theirs = median(MockSetUp.class, quick ? 1 : 3) / TESTS;
        double theirOperator = median(MockOperatorTests.class, quick ? 1 : 3);
        section.ours("junit: a cluster, started and closed", Unit.MICROSECONDS, cluster);
        section.ours("junit: a test without a cluster", Unit.MILLISECONDS, none);
        section.both("junit: a test with a cluster and one request", Unit.MILLISECONDS, mine, theirs, PEER);
        section.both("junit: an operator, 85 tests, first time", Unit.MILLISECONDS, cold, theirCold, PEER);
        section.both("junit: an operator, 85 tests, warm", Unit.MILLISECONDS, operator, theirOperator, PEER);
        section.ours("junit: an operator, 85 tests, warm, in parallel", Unit.MILLISECONDS, parallel);
        section.elsewhere("envtest: 2.6 to 4.8 s to start; 85 tests with it 5 s each, as projects report");
        section.elsewhere("k3s in a container: 20 to 30 s to start, as the README of setup-k3d-k3s said in 2020");
    }

    /** Returns the microseconds that a cluster takes to start and to close, the mean of the last of three rounds. */
    private static double cluster(int clusters) {
        EngineCluster.Builder prepared = EngineCluster.builder();
        double micros = 0;
        for (int round = 0; round < 3; round++) {
            long from = System.nanoTime();
            for (int i = 0; i < clusters; i++) {
                prepared.start().close();
            }
            micros = (System.nanoTime() - from) / 1e3 / clusters;
        }
        return micros;
    }

    /** Returns the median after as many runs to warm up. */
    private static double median(Class<?> tests, int rounds) {
        return median(tests, rounds, Map.of());
    }

    private static double median(Class<?> tests, int rounds, Map<String, String> settings) {
        for (int i = 0; i < rounds; i++) {
            double _ = millis(tests, settings);
        }
        double[] all = new double[rounds];
        Arrays.setAll(all, i -> millis(tests, settings));
        Arrays.sort(all);
        return all[rounds / 2];
    }

    /** Returns the milliseconds of a run of a class of tests. */
    private static double millis(Class<?> tests) {
        return millis(tests, Map.of());
    }

    private static double millis(Class<?> tests, Map<String, String> settings) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameters(settings)
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        long from = System.nanoTime();
        launcher.execute(request, listener);
        double millis = (System.nanoTime() - from) / 1e6;
        TestExecutionSummary summary = listener.getSummary();
        check(summary.getTestsFoundCount() > 0, tests + " has tests");
        summary.getFailures().stream().findFirst().ifPresent(failure -> {
            throw new IllegalStateException(
                    "a measured test failed: " + failure.getTestIdentifier().getDisplayName() + " of "
                            + tests.getSimpleName() + ": " + causes(failure.getException()),
                    failure.getException());
        });
        return millis;
    }

    /** Returns a failure and its causes, in one line. */
    private static String causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .map(Throwable::toString)
                .collect(Collectors.joining("; caused by "));
    }
}
