package dev.evenkeel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.faulty.FaultyController;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with controllers in processes of their own. */
class LoadRunTest {
    private static final String PLAN = """
            name: copies
            world:
              namespaces: 3
              objects:
              - count: 10
                template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "spec-${index}"}, data: {value: "0"}}
            effects:
            - apiVersion: v1
              kind: ConfigMap
              shown: {apiVersion: v1, kind: ConfigMap, name: "done-${name#spec-}", path: data.value}
            phases:
            - name: churn
              pattern: churn
              count: 10
              edits: 1
              rate: 200/s
              cycles: 2
              occupancy: true
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "spec-new-${index}"}, data: {value: "r${revision}"}}
            - pattern: cut-watches
            - name: after the cut
              pattern: churn
              edits: 1
              rate: 10/s
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "spec-cut-${index}"}, data: {value: "r${revision}"}}
            limits: {resting: 1s, visible: 1m}
            """;

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
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
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<String> java(String type, String argument) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                type,
                argument);
    }

    @Test
    void aControllerIsMeasuredAndJudged() throws InterruptedException {
        List<Progress> progress = new ArrayList<>();
        LoadResult result = LoadRun.of(LoadPlan.parse(PLAN), cluster())
                .command(java(FaultyController.class.getName(), "clean"))
                .fresh(this::cluster)
                .progress(progress::add)
                .run();
        assertThat(result.phases())
                .extracting(PhaseResult::name)
                .containsExactly("start", "churn", "cut-watches", "after the cut");
        PhaseResult churn = result.phases().get(1);
        assertThat(churn.operations()).isEqualTo(10 * 3 * (2 * 2 + 1));
        assertThat(churn.refused()).isZero();
        assertThat(churn.acknowledged().count()).isEqualTo(churn.operations());
        assertThat(churn.requests().get("create configmaps").count()).isPositive();
        assertThat(churn.cpu().orElseThrow()).isPositive();
        assertThat(churn.writes()).isPositive();
        assertThat(result.series("process.resident").map(Series::samples).orElseThrow())
                .isNotEmpty();
        assertThat(result.series("occupancy").map(Series::samples).orElseThrow())
                .hasSize(2);
        assertThat(result.verdicts())
                .filteredOn(verdict -> verdict.outcome() == Verdict.Outcome.FAIL)
                .isEmpty();
        assertThat(result.verdicts())
                .filteredOn(verdict -> verdict.outcome() == Verdict.Outcome.PASS)
                .extracting(Verdict::name)
                .contains("convergence", "restart.writes", "end-state");
        assertThat(progress).extracting(Progress::step).contains("world", "start", "churn", "at rest", "restart");
    }

    @Test
    void theCostOfAnOperationIsMeasuredInEachSize() throws InterruptedException {
        LoadPlan plan = LoadPlan.parse("""
                name: sizes
                sizes: [2]
                world:
                  namespaces: 2
                  objects:
                  - count: 4
                    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "spec-${index}"}, data: {value: "0"}}
                effects:
                - apiVersion: v1
                  kind: ConfigMap
                  shown: {apiVersion: v1, kind: ConfigMap, name: "done-${name#spec-}", path: data.value}
                phases:
                - name: changes
                  pattern: churn
                  count: 30
                  in: [ns-1]
                  cost: true
                  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "spec-new-${index}"}, data: {value: "r${revision}"}}
                limits: {resting: 1s}
                """);
        LoadResult result = LoadRun.of(plan, cluster())
                .command(java(FaultyController.class.getName(), "clean"))
                .fresh(this::cluster)
                .run();
        assertThat(result.sizes()).extracting(SizeResult::objects).containsExactly(4 + 4 * 4L);
        assertThat(result.sizes()).allSatisfy(size -> {
            assertThat(size.retained()).isPresent();
            assertThat(size.costs().get("changes")).hasSize(5).allMatch(Duration::isPositive);
        });
        // one size does not decide
        assertThat(result.verdicts())
                .filteredOn(verdict -> verdict.name().equals("scaling"))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.OPEN));
    }

    @Test
    void sizesNeedEmptyClusters() {
        LoadPlan plan = LoadPlan.parse("{name: a, sizes: [1, 2], world: {namespaces: 1}}");
        assertThatThrownBy(() -> LoadRun.of(plan, cluster())
                        .command(List.of("sleep", "60"))
                        .run())
                .hasMessageContaining("sizes need an empty cluster for each");
    }

    @Test
    void aCommandThatEndsIsAnErrorWithItsOutput() {
        assertThatThrownBy(() -> LoadRun.of(LoadPlan.parse(PLAN), cluster())
                        .command(List.of("sh", "-c", "echo no such option >&2; exit 3"))
                        .run())
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("the controller has ended")
                .hasMessageContaining("no such option");
    }

    @Test
    void aWorldThatIsThereAlreadyIsAnError() {
        Connection cluster = cluster();
        LoadPlan plan = LoadPlan.parse("{name: a, world: {namespaces: 2}}");
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2; i++) {
                        LoadRun.of(plan, cluster)
                                .command(List.of("sleep", "60"))
                                .run();
                    }
                })
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("409 AlreadyExists");
    }
}
