package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Phase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plans beside the examples. */
class LoadExamplesTest {
    private static final Path EXAMPLES = Page.ROOT.resolve("examples");

    private final Commands commands = new Commands();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"website", "database", "stream", "kubectl"})
    void plansHaveThirtyCyclesWithOccupancy(String example) throws IOException {
        LoadPlan plan = LoadPlan.parse(Files.readString(EXAMPLES.resolve(example + "/load.yaml")));

        assertThat(plan.phases())
                .filteredOn(Phase::occupancy)
                .singleElement()
                .satisfies(phase -> assertThat(phase.stop().cycles()).isEqualTo(30));
    }

    @Test
    @Timeout(300)
    void kubectlSeesEachChange() throws IOException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "kubectl"))),
                "no command kubectl");
        String plan = Files.readString(EXAMPLES.resolve("kubectl/load.yaml"))
                .replaceAll("count: \\d+", "count: 2")
                .replaceAll("cycles: \\d+", "cycles: 1")
                .replace("resting: 20s", "resting: 1s");
        Path file = Files.writeString(directory.resolve("plan.yaml"), plan);

        int code = commands.run(
                "load", file.toString(), "--exec", "kubectl --kubeconfig {kubeconfig} get configmaps -A -w -o name");

        assertThat(code).as(commands.out() + commands.err()).isZero();
        assertThat(commands.out()).containsPattern("pass +convergence");
    }
}
