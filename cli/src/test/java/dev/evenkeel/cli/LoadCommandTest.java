package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Phase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel load}: its options, its errors, and a run with a controller of one line of shell. */
class LoadCommandTest {
    /** The controller prints the name of each ConfigMap that it sees. */
    private static final String PLAN = """
            name: maps
            world: {namespaces: 2}
            effects:
            - {apiVersion: v1, kind: ConfigMap, output: "configmap/${name}"}
            marker:
              rate: 10/s
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "marker-${index}"}}
              output: configmap/${name}
            phases:
            - name: maps
              pattern: churn
              edits: 1
              count: 5
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "map-${index}"}, data: {revision: "r${revision}"}}
              rate: 50/s
              cycles: 2
            limits: {resting: 1s}
            """;

    private final Commands commands = new Commands();

    @TempDir
    private Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @Test
    void helpNamesTheOptions() {
        assertThat(commands.run("load", "--help")).isZero();

        assertThat(commands.out())
                .contains(
                        "PLAN",
                        "--exec",
                        "--pid",
                        "--kubeconfig",
                        "--quick",
                        "--world",
                        "--phase",
                        "--seed",
                        "--jfr",
                        "--report",
                        "--json",
                        "--prometheus",
                        "--metrics",
                        "--no-kubelets",
                        "compare");
    }

    @Test
    void thePlanOfThePageIsOne() throws IOException {
        Page page = Page.of(Page.ROOT.resolve("docs/load.md"));
        assertThat(page.blocks())
                .filteredOn(block -> block.language().equals("yaml"))
                .singleElement()
                .satisfies(block -> assertThat(LoadPlan.parse(block.content()).phases())
                        .extracting(Phase::name)
                        .containsExactly("warm up", "churn", "the watches are cut"));
    }

    @Test
    void anUnknownFieldIsNamedWithItsFile() throws IOException {
        String plan = file("plan.yaml", PLAN.replace("cycles: 2", "cylces: 2"));

        assertThat(commands.run("load", plan, "--exec", "cat")).isEqualTo(1);

        assertThat(commands.err())
                .contains(plan, "phases[0].cylces", "unknown field")
                .doesNotContain("\tat ");
    }

    @Test
    void textThatIsNotYamlIsRefused() throws IOException {
        String plan = file("plan.yaml", "phases: [");

        assertThat(commands.run("load", plan, "--exec", "cat")).isEqualTo(1);

        assertThat(commands.err()).contains(plan, "not YAML");
    }

    @Test
    void aMissingPlanIsNamed() {
        String missing = directory.resolve("missing.yaml").toString();

        assertThat(commands.run("load", missing, "--exec", "cat")).isEqualTo(1);

        assertThat(commands.err()).contains(missing).doesNotContain("\tat ");
    }

    @Test
    void aProcessNeedsItsCluster() {
        assertThat(commands.run("load", "--pid", "1")).isNotZero();

        assertThat(commands.err()).contains("--pid needs --kubeconfig");
    }

    @Test
    void aProcessThatDoesNotRunIsNamed() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor()).isZero();

        assertThat(commands.run("load", "--pid", Long.toString(ended.pid()), "--kubeconfig", file("kubeconfig", "")))
                .isEqualTo(2);

        assertThat(commands.err()).contains("--pid: process " + ended.pid() + " does not run");
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedBeforeTheLoad() {
        String file = directory.resolve("missing/report.html").toString();

        assertThat(commands.run("load", "--quick", "--report", file)).isEqualTo(2);

        assertThat(commands.err()).contains(file + " can't be written");
    }

    @Test
    void aSignalEndsTheControllerToo() throws Exception {
        // it kept running without its cluster
        String plan = file("plan.yaml", PLAN);
        Path pid = Files.createDirectory(directory.resolve("started")).resolve("pid");
        String controller =
                "sh -c 'echo $$ > " + directory + "/pid; mv " + directory + "/pid " + pid + "; exec sleep 600'";
        try (WatchService started = directory.getFileSystem().newWatchService()) {
            WatchKey _ = pid.getParent().register(started, StandardWatchEventKinds.ENTRY_CREATE);
            try (JavaProcess load = JavaProcess.start(Evenkeel.class, "load", plan, "--exec", controller)) {
                assertThat(started.poll(120, TimeUnit.SECONDS))
                        .as("%s", load.lines())
                        .isNotNull();
                ProcessHandle process = ProcessHandle.of(
                                Long.parseLong(Files.readString(pid).strip()))
                        .orElseThrow();

                assertThat(load.terminate()).isEqualTo(1);
                assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(120));
            }
        }
    }

    @Test
    void aPatternThatDoesNotExistIsNamedWithThoseThatDo() {
        assertThat(commands.run("load", "--phase", "pods")).isEqualTo(1);

        assertThat(commands.err()).contains("phases[0].pattern: 'pods' is not a pattern", "pod-ring");
    }

    @Test
    void aControllerIsStartedOrRunsAlready() {
        assertThat(commands.run("load", "--pid", "1", "--exec", "cat")).isNotZero();

        assertThat(commands.err()).contains("--exec and --pid exclude each other");
    }

    @Test
    void aPhaseOfTheCommandLineIsCheckedAsThatOfAPlan() {
        assertThat(commands.run("load", "--world", "k8sfv", "--phase", "{pattern: pod-ring, pods: 0}"))
                .isEqualTo(1);

        assertThat(commands.err()).contains("the built-in plan: phases[0].pods must be positive: 0");
    }

    @Test
    void metricsNeedTheirNames() {
        assertThat(commands.run("load", "--exec", "cat", "--metrics", "http://127.0.0.1:1/metrics"))
                .isNotZero();

        assertThat(commands.err()).contains("--metrics and --metric need each other");
    }

    @Test
    void quickIsForTheBuiltInPlan() throws IOException {
        assertThat(commands.run("load", file("plan.yaml", PLAN), "--quick")).isNotZero();

        assertThat(commands.err()).contains("--quick is for the built-in plan");
    }

    @Test
    void aResultThatIsNoneIsNamed() throws IOException {
        String file = file("a.json", "{}");

        assertThat(commands.run("load", "compare", file, file)).isEqualTo(1);

        assertThat(commands.err()).contains(file).doesNotContain("\tat ");
    }

    @Test
    void aLineOfShellIsMeasuredAndCompared() throws IOException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "kubectl"))),
                "no command kubectl");
        String plan = file("plan.yaml", PLAN);
        String kubectl = "kubectl get configmaps -A -w -o name --kubeconfig {kubeconfig}";
        Path json = directory.resolve("a.json");
        Path report = directory.resolve("report.html");
        Path prometheus = directory.resolve("run.prom");

        int code = commands.run(
                "load",
                plan,
                "--exec",
                kubectl,
                "--json",
                json.toString(),
                "--report",
                report.toString(),
                "--prometheus",
                prometheus.toString());

        assertThat(code).as(commands.out() + commands.err()).isZero();
        assertThat(commands.out()).contains("plan maps, --seed 1").containsPattern("pass +convergence");
        assertThat(Files.readString(json)).contains("convergence");
        assertThat(report).content().startsWith("<!doctype html>").contains("maps");
        assertThat(Files.readString(prometheus)).contains("# TYPE");

        commands.clear();
        Path sides = directory.resolve("sides.html");
        assertThat(commands.run("load", "compare", json.toString(), json.toString(), "--report", sides.toString()))
                .isZero();
        assertThat(commands.out()).contains("maps", "no change shown");
        assertThat(sides).content().startsWith("<!doctype html>");
    }
}
