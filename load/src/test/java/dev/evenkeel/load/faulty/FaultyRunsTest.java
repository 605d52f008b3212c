package dev.evenkeel.load.faulty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.LoadRun;
import dev.evenkeel.load.faulty.FaultyController.Mode;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole runs with faulty controllers: each fault is found by its verdict, and by no other.
 *
 * <p>They take about four minutes each, so a build makes none: {@code
 * -Dload.modes=clean,leak,restless,whole-cluster,unfair,deadlock,stampede} names those to make, and {@code
 * -Dload.repetitions=20} their number, with different seeds from {@code -Dload.seed=1} on.
 */
class FaultyRunsTest {
    private static final String MODES = System.getProperty("load.modes", "");

    private static final Map<Mode, Set<String>> FOUND_BY = new EnumMap<>(Map.of(
            Mode.CLEAN, Set.of(),
            Mode.LEAK, Set.of("leak"),
            Mode.RESTLESS, Set.of("idle.writes"),
            Mode.WHOLE_CLUSTER, Set.of("scaling"),
            Mode.UNFAIR, Set.of("fairness"),
            Mode.DEADLOCK, Set.of("convergence"),
            Mode.STAMPEDE, Set.of("restart.gets", "restart.writes")));

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void thePlanIsOne() throws IOException {
        assertThat(LoadPlan.parse(text()).sizes()).containsExactly(1, 10, 100);
    }

    @TestFactory
    Stream<DynamicTest> aFaultIsFoundByItsVerdict() {
        List<Mode> modes = MODES.isEmpty()
                ? List.of()
                : Arrays.stream(MODES.split(",", -1)).map(Mode::of).toList();
        long first = Long.getLong("load.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("load.repetitions", 1))
                .boxed()
                .flatMap(seed -> modes.stream()
                        .map(mode -> DynamicTest.dynamicTest(mode.text() + " " + seed, () -> run(mode, seed))));
    }

    private void run(Mode mode, long seed) throws IOException, InterruptedException {
        LoadResult result = LoadRun.of(LoadPlan.parse(text()).seed(seed), cluster())
                .command(command(mode))
                .fresh(this::cluster)
                .run();

        result.verdicts()
                .forEach(verdict -> System.out.printf(
                        "%s %d: %s %s, confidence %.2f: %s%n",
                        mode.text(), seed, verdict.outcome(), verdict.name(), verdict.confidence(), verdict.finding()));
        assertThat(result.verdicts())
                .filteredOn(verdict -> verdict.outcome() == Verdict.Outcome.FAIL)
                .extracting(Verdict::name)
                .containsExactlyInAnyOrderElementsOf(FOUND_BY.get(mode));
    }

    private static String text() throws IOException {
        try (var stream = Objects.requireNonNull(FaultyRunsTest.class.getResourceAsStream("faulty.yaml"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> command(Mode mode) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                FaultyController.class.getName(),
                mode.text());
    }

    private Connection cluster() {
        Engine engine = Engine.create();
        open.add(engine);
        Server server = Server.builder(engine).start();
        open.add(server);
        try {
            Path file = Files.createTempFile(directory, "cluster", ".kubeconfig");
            Files.writeString(file, server.kubeconfig());
            return Connection.fromKubeconfig(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
