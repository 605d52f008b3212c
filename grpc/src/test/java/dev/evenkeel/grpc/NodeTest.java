package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service from Node, with {@code @grpc/grpc-js}. Skipped without Node, or when the environment variable
 * EVENKEEL_NODE_MODULES does not name a directory with that package and {@code @grpc/proto-loader}.
 */
class NodeTest {
    private static final String MODULES = System.getenv().getOrDefault("EVENKEEL_NODE_MODULES", "");

    @TempDir
    private Path directory = Path.of("");

    private final Fixture fixture = Fixture.start(
            Engine.builder().executor(Runnable::run).build(), builder -> builder.token("node-token", User.ADMIN));

    @BeforeEach
    void find() throws IOException {
        assumeTrue(
                !MODULES.isEmpty() && Files.isDirectory(Path.of(MODULES, "@grpc", "grpc-js")),
                "EVENKEEL_NODE_MODULES does not name a directory with @grpc/grpc-js");
        Path proto = Path.of("src", "main", "proto", "evenkeel", "resource", "v1", "resource.proto");
        Path copy = directory.resolve("evenkeel/resource/v1/resource.proto");
        Files.createDirectories(copy.getParent());
        Files.copy(proto, copy);
        Path status = directory.resolve("google/rpc/status.proto");
        Files.createDirectories(status.getParent());
        try (InputStream in = com.google.rpc.Status.class.getResourceAsStream("/google/rpc/status.proto")) {
            Files.copy(java.util.Objects.requireNonNull(in), status);
        }
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private List<String> run(String target, Path script) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        "node", script.toAbsolutePath().toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("NODE_PATH", MODULES);
        builder.environment().put("PROTO", directory.toString());
        builder.environment().put("TARGET", target);
        builder.environment().put("TOKEN", "node-token");
        Process process = builder.start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        process.destroy();
        assertThat(ended).as(Files.readString(output)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }

    @Test
    void writesReadsWatchesAndReadsErrors() throws Exception {
        assertThat(run(fixture.server.target(), Path.of("src", "test", "node", "client.js")))
                .containsExactly(
                        "snapshot true",
                        "written settings default",
                        "read true",
                        "seen true true",
                        "refused ABORTED 1",
                        "deleted settings");
    }

    @Test
    void theScriptOfThePageRuns() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "grpc.md"));
        Matcher script = Pattern.compile("```js\\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(script.find()).isTrue();
        Path file = Files.writeString(directory.resolve("page.js"), script.group(1));
        try (Fixture open = Fixture.start(
                Engine.builder().executor(Runnable::run).build(), builder -> builder.authentication(false))) {
            assertThat(run(open.server.target(), file)).containsExactly("default");
        }
    }
}
