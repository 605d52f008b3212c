package dev.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.examples.database.DatabaseReconciler;
import dev.evenkeel.examples.database.DatabaseService;
import dev.evenkeel.examples.database.InMemoryDatabaseService;
import dev.evenkeel.testing.Skeleton;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Skeletons of tests for the examples: valid objects are made from their definitions, and the classes compile. */
class SkeletonsTest {
    @TempDir
    Path directory;

    private void compiles(Skeleton skeleton) throws Exception {
        Path file = skeleton.name("GeneratedTest").writeTo(directory);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"), "-Xlint:all");
            boolean compiled = compiler.getTask(messages, null, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).as(messages + Files.readString(file)).isTrue();
        }
    }

    @Test
    void website() throws Exception {
        Skeleton skeleton = Skeleton.of(WebsiteReconciler.controller()).definitions(Path.of("website", "crd.yaml"));
        assertThat(skeleton.className()).isEqualTo("WebsiteControllerTest");
        assertThat(skeleton.source())
                .contains("Deployment: is refused", "Service: is deleted", "the status is refused");
        compiles(skeleton);
    }

    @Test
    void databases() throws Exception {
        DatabaseService made = new InMemoryDatabaseService(Clock.systemUTC(), Duration.ZERO);
        Skeleton skeleton = Skeleton.of(DatabaseReconciler.controller(made))
                .definitions(Path.of("database", "crd.yaml"))
                .madeBy(
                        "DatabaseReconciler.controller(new InMemoryDatabaseService(java.time.Clock.systemUTC(), java.time.Duration.ZERO))");
        assertThat(skeleton.source()).contains("without the DatabaseClass", "Secret: is refused");
        compiles(skeleton);
    }
}
