package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of a checkout, with a JDK that prints its arguments. */
class LauncherTest {
    private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path home;

    private Path built;

    @BeforeEach
    void aBuiltCheckout() throws IOException {
        Files.copy(Page.ROOT.resolve("evenkeel"), home.resolve("evenkeel"));
        Path jdk = Files.createDirectories(home.resolve("jdk/bin"));
        executable(jdk.resolve("javac"), "");
        executable(jdk.resolve("java"), "printf '%s\\n' \"$@\"\n");
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        built = Files.createDirectories(home.resolve("cli/target"));
        for (Path source : new Path[] {home.resolve("pom.xml"), home.resolve("cli/pom.xml")}) {
            at(Files.writeString(source, ""), BUILT.minusSeconds(60));
        }
        at(Files.createDirectories(home.resolve("cli/src/main")), BUILT.minusSeconds(60));
        at(Files.writeString(built.resolve("dependencies.classpath"), "engine.jar"), BUILT);
        at(Files.writeString(built.resolve("evenkeel-cli-1.0.jar"), ""), BUILT);
        // as of another process that is making a cache, so that none is made here
        Files.writeString(built.resolve("evenkeel-demo.aot.1"), "");
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void at(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    /** Returns the arguments of the JVM, one a line. */
    private String launch() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("sh", home.resolve("evenkeel").toString(), "rbac").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().remove("EVENKEEL_AOT");
        Process process = builder.start();
        String arguments = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(arguments).isZero();
        return arguments;
    }

    @Test
    void aCacheIsUsedWithItsJar() throws Exception {
        at(Files.writeString(built.resolve("evenkeel-all.jar"), ""), BUILT.plusSeconds(60));
        at(Files.writeString(built.resolve("evenkeel-demo.aot"), ""), BUILT.plusSeconds(60));

        assertThat(launch())
                .contains("-XX:AOTCache=" + built.toRealPath().resolve("evenkeel-demo.aot") + "\n")
                .contains("-cp\n" + built.toRealPath().resolve("evenkeel-all.jar") + "\n")
                .endsWith("dev.evenkeel.cli.Evenkeel\nrbac\n");
    }

    /** Earlier versions made a cache of several jars. */
    @Test
    void aCacheWithoutItsJarIsRemoved() throws Exception {
        Files.writeString(built.resolve("evenkeel-demo.aot"), "");

        assertThat(launch())
                .doesNotContain("AOTCache")
                .contains("-cp\n" + built.toRealPath().resolve("evenkeel-cli-1.0.jar") + ":engine.jar\n");
        assertThat(built.resolve("evenkeel-demo.aot")).doesNotExist();
    }

    @Test
    void aCacheOfOlderClassesIsRemoved() throws Exception {
        at(Files.writeString(built.resolve("evenkeel-all.jar"), ""), BUILT.minusSeconds(60));
        at(Files.writeString(built.resolve("evenkeel-demo.aot"), ""), BUILT.minusSeconds(60));

        assertThat(launch()).doesNotContain("AOTCache").contains("evenkeel-cli-1.0.jar:engine.jar\n");
        assertThat(built.resolve("evenkeel-all.jar")).doesNotExist();
    }
}
