package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmarks in a process of their own. */
@Timeout(300)
class BenchCommandTest {
    @TempDir
    Path directory;

    @Test
    void argumentsOutputAndExitCodeArePassedThrough() throws Exception {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        assertThat(Page.compile(Map.of("dev/evenkeel/benchmarks/Bench", """
                                package dev.evenkeel.benchmarks;

                                class Bench {
                                    public static void main(String[] args) {
                                        System.out.print(String.join(" ", args));
                                        System.exit(args[0].equals("engine") ? 0 : 7);
                                    }
                                }
                                """), classes))
                .isEmpty();
        Files.writeString(directory.resolve("dependencies.classpath"), classes.toString());

        assertThat(run("engine", "server", "--quick", "--compare", "old.json", "--json", "out.json", "--runs", "7"))
                .isEqualTo("0: engine server --quick --runs 7 --json out.json --compare old.json");
        assertThat(run("server")).isEqualTo("7: server");
    }

    private String run(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Devenkeel.benchmarks=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Evenkeel.class.getName(),
                "bench");
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + out;
    }

    @Test
    void missingBenchmarksAreReportedWithTheCommandThatBuildsThem() {
        assertThatThrownBy(new BenchCommand(directory)::call)
                .isInstanceOf(Failure.class)
                .hasMessage("the benchmarks are not built: run mvn -DskipTests package in the checkout of Evenkeel,"
                        + " or ./evenkeel bench there");
    }
}
