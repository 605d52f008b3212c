package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.protobuf.ProtobufType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service from the command line, with {@code buf curl} and server reflection. Skipped when the environment variable
 * EVENKEEL_NODE_MODULES does not name a directory with the package {@code @bufbuild/buf}.
 */
class BufTest {
    private static final Path TOOLS = Path.of(System.getenv().getOrDefault("EVENKEEL_NODE_MODULES", "absent"), ".bin");

    @TempDir
    private Path directory = Path.of("");

    private final Fixture fixture = Fixture.start(
            Engine.builder()
                    .executor(Runnable::run)
                    .register(ProtobufType.of(MessageTypesTest.MESSAGE).build())
                    .build(),
            builder -> builder.token("buf-token", User.ADMIN));

    @BeforeEach
    void find() {
        assumeTrue(
                Files.isExecutable(TOOLS.resolve("buf")), "EVENKEEL_NODE_MODULES does not name a directory with buf");
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** The commands of the page. */
    private static String page() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "grpc.md"));
        Matcher script =
                Pattern.compile("```sh\\n(call\\(\\) .*?)```", Pattern.DOTALL).matcher(page);
        assertThat(script.find()).isTrue();
        return script.group(1);
    }

    private String run(String script) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().merge("PATH", TOOLS.toString(), (path, tools) -> tools + ":" + path);
        builder.environment().put("TARGET", fixture.server.target());
        builder.environment().put("TOKEN", "buf-token");
        builder.environment().put("HOME", directory.toString());
        Process process = builder.start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        process.destroy();
        assertThat(ended).as(Files.readString(output)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output).replaceAll("\\s", "");
    }

    @Test
    void theCommandsOfThePageRun() throws Exception {
        assertThat(run(page()))
                .containsPattern("(?s)\"color\":\"blue\".*\"color\":\"blue\".*\"resources\":\\[.*\"color\":\"blue\"");
    }

    @Test
    void theDataOfATypeIsShownByReflection() throws Exception {
        String functions = page().lines().findFirst().orElseThrow() + "\n";
        String id =
                "{\"type\": {\"group\": \"music_shop\", \"group_version\": \"v1\", \"kind\": \"Record\"}, \"name\": \"blue\"}";
        assertThat(run(functions + "call Write '{\"resource\": {\"id\": " + id
                        + ", \"data\": {\"@type\": \"type.googleapis.com/music_shop.v1.Record\", \"releaseYear\": 1959}}}'\n"
                        + "call Read '{\"id\": " + id + "}'"))
                .contains("\"@type\":\"type.googleapis.com/music_shop.v1.Record\",\"releaseYear\":\"1959\"");
    }
}
