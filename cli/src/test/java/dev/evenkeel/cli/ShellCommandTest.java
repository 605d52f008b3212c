package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "node operator.mjs",
                "java -jar 'a;b.jar' --level=debug {kubeconfig} > log 2>&1",
                "sh -c \"date & exec ./operator \\\"--name=a b\\\"\"",
                "./an\\&operator"
            })
    void aSimpleCommandReplacesTheShell(String command) {
        assertThat(ShellCommand.of(command)).containsExactly("sh", "-c", "exec " + command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cd operator && ./run",
                "MODE=fast node operator.mjs",
                "./first & ./second",
                "./operator | tee log",
                "(ulimit -n 64; ./operator)"
            })
    void theShellRunsOthers(String command) {
        assertThat(ShellCommand.of(command)).containsExactly("sh", "-c", command);
    }
}
