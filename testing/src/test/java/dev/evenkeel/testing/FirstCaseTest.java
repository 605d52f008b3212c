package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first case of a process: it takes as long as the classes that it loads. */
class FirstCaseTest {
    @TempDir
    Path directory;

    /** A process that runs one case. */
    static final class Case {
        private Case() {}

        public static void main(String[] arguments) throws Throwable {
            Given<ConfigMap> map = Given.yaml(ConfigMap.class, "{metadata: {namespace: shop, name: m}, data: {a: b}}");
            ReconcilerTests.of(() -> Controller.of(ConfigMap.class, reconciliation -> Result.done()))
                    .test("nothing", t -> t.given(map))
                    .stream()
                    .findFirst()
                    .orElseThrow()
                    .getExecutable()
                    .execute();
        }
    }

    @Test
    void loadsOnlyWhatItNeeds() throws Exception {
        Path loaded = directory.resolve("loaded");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + loaded,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Case.class.getName()))
                .inheritIO()
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(Files.readString(loaded))
                .contains("dev.evenkeel.engine.Engine ")
                .doesNotContain(
                        "dev.cel.",
                        "com.google.protobuf.",
                        "io.micrometer.core.instrument.simple.",
                        "com.sun.jmx.",
                        "java.net.http.",
                        "dev.evenkeel.kubernetes.");
    }
}
