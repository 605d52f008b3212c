package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
    private final PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

    @Test
    @DisplayName("An unknown suite is refused with the known ones")
    void refusesUnknownSuites() {
        assertThat(Bench.suites())
                .containsExactly(
                        "server",
                        "grpc",
                        "engine",
                        "store",
                        "controller",
                        "reconcile",
                        "graph",
                        "agent",
                        "load",
                        "junit",
                        "scale",
                        "fleet",
                        "testing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.run(Bench.Options.of("engine", "sever"), out))
                .withMessage(
                        "unknown suite \"sever\"; known: server, grpc, engine, store, controller, reconcile, graph, agent, load, junit, scale, fleet, testing");
    }

    @Test
    @DisplayName("A file that cannot be written is refused before anything is measured")
    void refusesUnwritableFiles(@TempDir Path directory) {
        Path file = directory.resolve("absent").resolve("results.json");
        assertThatThrownBy(() -> Bench.run(Bench.Options.of("engine", "--json", file.toString()), out))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("results.json");
    }

    @Test
    @DisplayName("Results to compare with are read before anything is measured")
    void refusesUnreadableResults(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("old.json"), "{}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.run(Bench.Options.of("engine", "--compare", file.toString()), out))
                .withMessage(file + " is not a file of results, as bench --json writes it: it is not a list");
    }

    @Test
    @DisplayName("Options have defaults, and mistakes are named")
    void options() {
        assertThat(Bench.Options.of("engine"))
                .isEqualTo(new Bench.Options(List.of("engine"), false, 5, Optional.empty(), Optional.empty()));
        assertThat(Bench.Options.of("--quick").runs()).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.Options.of("--runs", "0"))
                .withMessage("--runs must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.Options.of("engine", "--json"))
                .withMessage("--json needs a value");
    }
}
