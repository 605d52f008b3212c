package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel check}: its options, its errors and exit codes; the checks themselves are tested in their module. */
class CheckCommandTest {
    private static final Path SAMPLES = Page.ROOT.resolve("examples/check");

    private final Commands commands = new Commands();

    @TempDir
    private Path directory;

    private int run(String command, String... more) {
        String[] all = new String[7 + more.length];
        String[] first = {
            "check",
            "--exec",
            command,
            "--given",
            SAMPLES.resolve("given").toString(),
            "--crds",
            SAMPLES.resolve("crds").toString()
        };
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return commands.run(all);
    }

    @Test
    void helpNamesTheOptionsAndTheExitCodes() {
        assertThat(commands.run("check", "--help")).isZero();

        assertThat(commands.out())
                .contains("--exec", "--given", "--crds", "--spec", "--schedules", "--seed", "--time", "--parallel")
                .contains("--replicas", "--replay", "--report", "--fail-fast")
                .contains("nothing was found", "something was found");
    }

    @Test
    void theCommandOfTheControllerIsRequired() {
        assertThat(commands.run("check", "--given", ".")).isEqualTo(2);

        assertThat(commands.err()).contains("--exec");
    }

    @Test
    void aControllerThatEndsAtOnceIsNoFinding() {
        assertThat(run("echo no configuration; false")).isEqualTo(2);

        assertThat(commands.err())
                .contains("ended before its first request", "no configuration")
                .doesNotContain("\tat ");
    }

    @Test
    void theCommandMayHaveVariablesAndNameTheKubeconfig() {
        assertThat(run("MODE=fast sh -c 'echo mode $MODE, {kubeconfig}; grep server: {kubeconfig}; exit 1'"))
                .isEqualTo(2);

        assertThat(commands.err()).containsPattern("mode fast, /.*kubeconfig-1").contains("server:");
    }

    @Test
    void aMistakeInTheSpecificationIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("spec.yaml"), "step: []");

        assertThat(run("true", "--spec", file.toString())).isEqualTo(2);

        assertThat(commands.err()).contains("step: unknown field");
    }

    @Test
    void aScheduleThatIsNotOneIsRefusedWithExamples() {
        assertThat(run("true", "--replay", "crash sometimes")).isEqualTo(2);

        assertThat(commands.err()).contains("crash sometimes", "crash after create configmaps default/blog #1");
    }
}
