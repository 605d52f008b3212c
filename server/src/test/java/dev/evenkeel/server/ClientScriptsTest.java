package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Official clients of other languages, unmodified, work with the server: the scripts in {@code src/test/node} and
 * {@code src/test/python}. Skipped when {@code EVENKEEL_NODE_MODULES} does not name a directory with
 * {@code @kubernetes/client-node}, or when no Python of the machine has the module {@code kubernetes}.
 */
class ClientScriptsTest {
    private static final String MODULES = System.getenv().getOrDefault("EVENKEEL_NODE_MODULES", "");
    private static final int SCENARIOS = 15;

    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicTest> node() throws Exception {
        assumeTrue(
                !MODULES.isEmpty() && Files.isDirectory(Path.of(MODULES, "@kubernetes", "client-node")),
                "EVENKEEL_NODE_MODULES does not name a directory with @kubernetes/client-node");
        return scenarios("node", script("node", "client.mjs"), MODULES);
    }

    @TestFactory
    Stream<DynamicTest> python() throws Exception {
        String python = "";
        for (String each : List.of("python3", "/usr/bin/python3")) {
            if (has(each)) {
                python = each;
            }
        }
        assumeTrue(!python.isEmpty(), "no Python with the module kubernetes (Debian: python3-kubernetes)");
        return scenarios(python, script("python", "client.py"));
    }

    private boolean has(String python) throws InterruptedException {
        try {
            // of the interpreter alone: a directory with the module's name is not the module
            Process process = new ProcessBuilder(python, "-c", "import kubernetes.leaderelection")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String script(String language, String name) {
        return Path.of("src", "test", language, name).toAbsolutePath().toString();
    }

    /** Runs a script against a server of its own, and returns a test for each line that it prints. */
    private Stream<DynamicTest> scenarios(String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Path kubeconfig = directory.resolve("kubeconfig");
        try (TestServer server = TestServer.startWithTls()) {
            Files.writeString(kubeconfig, server.kubeconfig());
            Process process = new ProcessBuilder(Stream.concat(Stream.of(command), Stream.of(kubeconfig.toString()))
                            .toList())
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(90, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(ended).as(Files.readString(output)).isTrue();
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(lines).hasSize(SCENARIOS);
        return lines.stream().map(line -> {
            int colon = line.indexOf(": ");
            return DynamicTest.dynamicTest(
                    line.substring(0, Math.max(0, colon)),
                    () -> assertThat(line).endsWith(": ok"));
        });
    }
}
