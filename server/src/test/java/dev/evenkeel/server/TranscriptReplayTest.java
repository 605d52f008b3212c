package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.SharedData;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * <p>The equal share below which a file fails is in {@code replay-floors.txt}; raise it when the product improves. The
 * reports are in {@code target/replay}. With {@code -Dreplay=ssa} only that file is played, with
 * {@code -Dreplay=ssa-013} too, and the differences of that record (or of all) are printed. With {@code
 * -Dtranscripts=DIR} all recordings below that folder are played, without floors.
 */
class TranscriptReplayTest {
    private static final String OVERALL = "all";
    private static final int AT_ONCE = 8;

    @TestFactory
    Stream<DynamicTest> answersAsRecorded() {
        String wanted = System.getProperty("replay", "");
        String other = System.getProperty("transcripts", "");
        Map<String, Double> floors = other.isEmpty() ? floors() : Map.of();
        Path folder = other.isEmpty() ? SharedData.of("transcripts") : Path.of(other);
        Map<String, Path> files = recordings(folder);
        if (other.isEmpty()) {
            files.keySet().retainAll(wanted.isEmpty() ? floors.keySet() : files.keySet());
        }
        files.keySet().removeIf(file -> !wanted.isEmpty() && !played(file, wanted));
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        Map<String, Future<Report>> reports = new LinkedHashMap<>();
        files.forEach((file, path) -> reports.put(file, threads.submit(play(file, path, wanted))));
        threads.shutdown();
        Stream<DynamicTest> each = reports.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey(),
                        () -> check(entry.getKey(), entry.getValue().get(), floors.getOrDefault(entry.getKey(), 0.0))));
        return wanted.isEmpty()
                ? Stream.concat(
                        each,
                        Stream.of(DynamicTest.dynamicTest(
                                OVERALL, () -> overall(reports, floors.getOrDefault(OVERALL, 0.0)))))
                : each;
    }

    /** All files below the folder by their path in it, without the ending. */
    private static Map<String, Path> recordings(Path folder) {
        Map<String, Path> files = new LinkedHashMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            found.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .forEach(
                            file -> files.put(folder.relativize(file).toString().replace(".jsonl", ""), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static boolean played(String file, String wanted) {
        String name = Path.of(file).getFileName().toString();
        return file.equals(wanted) || name.equals(wanted) || wanted.matches(name + "-\\d+");
    }

    private static Map<String, Double> floors() {
        Map<String, Double> floors = new LinkedHashMap<>();
        try (InputStream in = TranscriptReplayTest.class.getResourceAsStream("replay-floors.txt")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(text -> !text.startsWith("#") && !text.isBlank())
                    .toList()) {
                List<String> words = List.of(line.split(" +"));
                floors.put(words.get(0), Double.valueOf(words.get(1)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return floors;
    }

    private static void check(String file, Report report, double floor) {
        System.out.printf(
                "replay %s: %d of %d equal%n",
                file, report.equal(), report.verdicts().size());
        assertThat(report.share())
                .as(report.summary() + "; see target/replay/" + file + ".md")
                .isGreaterThanOrEqualTo(floor);
    }

    private static void overall(Map<String, Future<Report>> reports, double floor) throws Exception {
        long equal = 0;
        long counted = 0;
        for (Future<Report> report : reports.values()) {
            equal += report.get().equal();
            counted += report.get().verdicts().size();
        }
        System.out.printf("replay all: %d of %d equal (%.1f %%)%n", equal, counted, 100.0 * equal / counted);
        assertThat((double) equal / counted).isGreaterThanOrEqualTo(floor);
    }

    private static Callable<Report> play(String file, Path recording, String wanted) {
        return () -> {
            boolean one = wanted.matches(".*-\\d+");
            try (TestServer server = ReplayMain.serverFor(recording);
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
