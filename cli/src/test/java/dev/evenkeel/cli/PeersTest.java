package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.Engine;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads the class path that the command runs with, as the build writes it down. */
class PeersTest {
    private static final Path CLASS_PATH = Path.of("target/runtime.classpath");

    @Test
    void peersOfTheBenchmarksAreNotOnTheClassPath() throws Exception {
        List<URL> entries = new ArrayList<>();
        for (String entry : Files.readString(CLASS_PATH).strip().split(":", -1)) {
            entries.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader command =
                new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertThat(command.loadClass(Engine.class.getName())).isNotNull();
            for (String peer : List.of(
                    "io.fabric8.kubernetes.client.server.mock.KubernetesMockServer",
                    "io.fabric8.mockwebserver.MockWebServer",
                    "io.javaoperatorsdk.operator.Operator",
                    "io.kubernetes.client.openapi.ApiClient",
                    "io.kubernetes.client.informer.SharedInformerFactory",
                    "org.openjdk.jmh.Main",
                    "dev.evenkeel.benchmarks.Bench")) {
                assertThatThrownBy(() -> command.loadClass(peer)).as(peer).isInstanceOf(ClassNotFoundException.class);
            }
        }
    }
}
