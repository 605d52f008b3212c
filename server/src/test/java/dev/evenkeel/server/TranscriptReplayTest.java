package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.SharedData;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Wire;
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
    /** The equal share below which a file fails. Whoever makes the product better raises its floor. */
    private static final Map<String, Double> FLOORS = new LinkedHashMap<>();

    static {
        FLOORS.put("crd", 0.0);
        FLOORS.put("crud", 0.0);
        FLOORS.put("delete-gc", 0.0);
        FLOORS.put("discovery-openapi", 0.0);
        FLOORS.put("list-get", 0.0);
        FLOORS.put("namespaces", 0.0);
        FLOORS.put("patch", 0.0);
        FLOORS.put("ssa", 0.0);
        FLOORS.put("watch", 0.0);
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
            reports.put(file, threads.submit(play(file, recordings.resolve(file + ".jsonl"), wanted)));
        }
        threads.shutdown();
        return reports.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    Report report = entry.getValue().get();
                    System.out.println("replay " + report.summary());
                    assertThat(report.share())
                            .as(report.summary() + "; see target/replay/" + entry.getKey() + ".md")
                            .isGreaterThanOrEqualTo(FLOORS.get(entry.getKey()));
                }));
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
