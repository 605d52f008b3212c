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
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole runs with faulty controllers: each fault is found by its verdict, and by no other.
 *
 * <p>A build makes a short run with one fault. {@code -Dload.modes=clean,leak,restless,whole-cluster,unfair,deadlock,stampede}
 * runs the whole plan, for about four minutes each, and {@code -Dload.repetitions=20} as often as that, with different seeds.
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

    static Stream<Arguments> runs() {
        List<Mode> modes = MODES.isEmpty()
                ? List.of(Mode.STAMPEDE)
                : Arrays.stream(MODES.split(",", -1)).map(Mode::of).toList();
        return IntStream.rangeClosed(1, Integer.getInteger("load.repetitions", 1))
                .boxed()
                .flatMap(seed -> modes.stream().map(mode -> Arguments.of(mode, (long) seed)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aFaultIsFoundByItsVerdict(Mode mode, long seed) throws Exception {
        LoadPlan plan = (MODES.isEmpty() ? shortened(text()) : LoadPlan.parse(text())).seed(seed);

        LoadResult result = LoadRun.of(plan, cluster())
                .command(command(mode))
                .fresh(this::cluster)
                .run();

        result.verdicts()
                .forEach(verdict -> System.out.printf(
                        "%s %d: %s %s, confidence %.2f: %s%n",
                        mode.text(),
                        seed,
                        verdict.outcome(),
                        verdict.name(),
                        verdict.confidence(),
                        verdict.finding()));
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

    private static LoadPlan shortened(String text) {
        return LoadPlan.parse(
                text.replace("sizes: [1, 10, 100]", "sizes: []").replace("resting: 20s", "resting: 1s"),
                Optional.empty(),
                List.of("{pattern: churn, count: 20, rate: 200/s, template: {apiVersion: v1, kind: ConfigMap,"
                        + " metadata: {name: 'spec-new-${index}'}, data: {value: 'r${revision}'}}}"));
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
