package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
                        "testing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.run(List.of("engine", "sever"), true, Optional.empty(), out))
                .withMessage(
                        "unknown suite \"sever\"; known: server, grpc, engine, store, controller, reconcile, graph, agent, load, junit, testing");
    }

    @Test
    @DisplayName("A file that cannot be written is refused before anything is measured")
    void refusesUnwritableFiles(@TempDir Path directory) {
        Path file = directory.resolve("absent").resolve("results.json");
        assertThatThrownBy(() -> Bench.run(List.of("engine"), true, Optional.of(file), out))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("results.json");
    }
}
