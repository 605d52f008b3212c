package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.SharedData;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sends the recorded requests of a real API server to ours, a fresh one for each file, and compares every answer.
 *
 * <p>The reports are in {@code target/replay}. With {@code -Dreplay=ssa} only that file is played, with
 * {@code -Dreplay=ssa-013} too, and the differences of that record (or of all) are printed.
 */
class TranscriptReplayTest {
    /** The equal share below which a file fails. Raise it when the product improves. */
    private static final Map<String, Double> FLOORS = new LinkedHashMap<>();

    /** The equal share of all records that count, below which the replay fails. */
    private static final double OVERALL = 0.98;

    static {
        FLOORS.put("access", 1.0);
        FLOORS.put("access-aggregation", 0.96);
        FLOORS.put("access-rbac", 0.99);
        FLOORS.put("crd", 1.0);
        FLOORS.put("crud", 0.98);
        FLOORS.put("delete-gc", 0.98);
        FLOORS.put("discovery-openapi", 0.97);
        FLOORS.put("list-get", 0.99);
        FLOORS.put("namespaces", 0.96);
        FLOORS.put("patch", 0.98);
        FLOORS.put("ssa", 0.99);
        FLOORS.put("watch", 0.98);
    }

    @TestFactory
    Stream<DynamicTest> answersAsRecorded() {
        String wanted = System.getProperty("replay", "");
        List<String> files = FLOORS.keySet().stream()
                .filter(file -> wanted.isEmpty() || wanted.equals(file) || wanted.startsWith(file + "-"))
                .toList();
        Path recordings = SharedData.of("transcripts");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Map<String, Future<Report>> reports = new LinkedHashMap<>();
        for (String file : files) {
            reports.put(file, threads.submit(play(file, recording(recordings, file), wanted)));
        }
        threads.shutdown();
        Stream<DynamicTest> each = reports.entrySet().stream().map(TranscriptReplayTest::test);
        return wanted.isEmpty()
                ? Stream.concat(each, Stream.of(DynamicTest.dynamicTest("all", () -> overall(reports))))
                : each;
    }

    private static Path recording(Path recordings, String file) {
        Path recording = recordings.resolve(file + ".jsonl");
        return Files.exists(recording)
                ? recording
                : recordings.resolve("builtin").resolve(file + ".jsonl");
    }

    private static DynamicTest test(Map.Entry<String, Future<Report>> entry) {
        return DynamicTest.dynamicTest(entry.getKey(), () -> {
            Report report = entry.getValue().get();
            System.out.println("replay " + report.summary());
            assertThat(report.share())
                    .as(report.summary() + "; see target/replay/" + entry.getKey() + ".md")
                    .isGreaterThanOrEqualTo(FLOORS.get(entry.getKey()));
        });
    }

    private static void overall(Map<String, Future<Report>> reports) throws Exception {
        long equal = 0;
        long counted = 0;
        for (Future<Report> report : reports.values()) {
            equal += report.get().equal();
            counted += report.get().verdicts().size();
        }
        System.out.printf("replay: %d of %d equal (%.1f %%)%n", equal, counted, 100.0 * equal / counted);
        assertThat((double) equal / counted).isGreaterThanOrEqualTo(OVERALL);
    }

    private static Callable<Report> play(String file, Path recording, String wanted) {
        return () -> {
            boolean one = wanted.matches(".*-\\d+");
            try (TestServer server = ReplayMain.serverFor(file);
                    Wire wire = new Wire(server.base(), server.token())) {
                Report report = ReplayMain.transcript(wire, recording, one ? wanted : "");
                if (!one) {
                    report.write(file);
                }
                if (!wanted.isEmpty()) {
                    System.out.println(report.text());
                }
                return report;
            }
        };
    }
}
