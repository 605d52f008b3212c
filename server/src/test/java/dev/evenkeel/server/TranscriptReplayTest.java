package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.opentest4j.TestAbortedException;

/**
 * Sends the recorded requests of a real API server to ours, a fresh one for each recording, and compares every answer.
 *
 * <p>The equal share below which a recording fails is in {@code replay-floors.txt}; raise it when the product improves.
 * The reports are in {@code target/replay}. With {@code -Dreplay=ssa} only that one is played, with
 * {@code -Dreplay=ssa-013} too, and the differences of that record (or of all) are printed. With {@code
 * -Dtranscripts=DIR} all recordings below that folder are played, without floors.
 */
class TranscriptReplayTest {
    private static final String OVERALL = "all";
    private static final String BUILTIN = "builtin";
    private static final int AT_ONCE = 8;

    @TestFactory
    Stream<DynamicTest> answersAsRecorded() {
        String wanted = System.getProperty("replay", "");
        String other = System.getProperty("transcripts", "");
        Map<String, Double> floors = other.isEmpty() ? floors() : Map.of();
        List<DynamicTest> tests = new ArrayList<>();
        List<Recording> recordings = new ArrayList<>();
        if (other.isEmpty()) {
            recordings.addAll(Recordings.NAMES.stream().map(Recording::of).toList());
            try {
                Path folder = SharedData.of("transcripts");
                recordings.addAll(below(folder, folder.resolve(BUILTIN)));
                recordings.removeIf(recording -> wanted.isEmpty() && !floors.containsKey(recording.name()));
            } catch (TestAbortedException absent) {
                for (String missing : List.of(BUILTIN, OVERALL)) {
                    tests.add(DynamicTest.dynamicTest(missing, () -> {
                        throw absent;
                    }));
                }
            }
        } else {
            recordings.addAll(below(Path.of(other), Path.of(other)));
        }
        recordings.removeIf(recording -> !wanted.isEmpty() && !played(recording, wanted));
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        Map<String, Future<Report>> reports = new LinkedHashMap<>();
        recordings.forEach(recording -> reports.put(
                recording.name(), threads.submit(play(recording, wanted, floors.getOrDefault(recording.name(), 0.0)))));
        threads.shutdown();
        if (wanted.isEmpty() && tests.isEmpty()) {
            tests.add(DynamicTest.dynamicTest(OVERALL, () -> overall(reports, floors.getOrDefault(OVERALL, 0.0))));
        }
        reports.forEach((name, report) -> tests.add(
                DynamicTest.dynamicTest(name, () -> check(name, report.get(), floors.getOrDefault(name, 0.0)))));
        return tests.stream();
    }

    /** Returns all recordings below a part of a folder, named by their path in the folder, without the ending. */
    private static List<Recording> below(Path folder, Path part) {
        try (Stream<Path> found = Files.walk(part)) {
            return found.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .map(file -> Recording.of(folder, file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean played(Recording recording, String wanted) {
        String subject = recording.subject();
        return recording.name().equals(wanted) || subject.equals(wanted) || wanted.matches(subject + "-\\d+");
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

    /**
     * Plays a recording, and once again if its share is too low: a recorded watch lasts some seconds, in which a busy
     * machine may not do all that was recorded during it.
     */
    private static Callable<Report> play(Recording recording, String wanted, double floor) {
        return () -> {
            Report first = play(recording, wanted);
            return first.share() < floor ? play(recording, wanted) : first;
        };
    }

    private static Report play(Recording recording, String wanted) throws Exception {
        boolean one = wanted.matches(".*-\\d+");
        try (TestServer server = recording.start();
                Wire wire = new Wire(server.base(), server.token())) {
            Report report = ReplayMain.transcript(wire, recording, one ? wanted : "");
            if (!one) {
                report.write(recording.name());
            }
            if (!wanted.isEmpty()) {
                System.out.println(report.text());
            }
            return report;
        }
    }
}
